"""Groups of errors over HTTP: causes and not messages, and what members decide about them."""

import json
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.error_tracking.decisions import MAX_COMMENT
from footfall.domain.sites.site import ConfigChanges
from tests.application import on_both_stores

ERRORS = "/api/sites/1/errors"
CHROME = "TypeError: Cannot read properties of undefined (reading '{}')\n    at pay (https://example.com/app.{}.js:{}:7)"


async def report(world, message, name="TypeError", visitor="192.0.2.1", release=None, **properties):
    """Report an error as a visitor's browser would."""
    return await world.track(
        key="member",
        type="error",
        event_name=name,
        ip_address=visitor,
        pathname="/cart",
        release=release,
        properties=json.dumps({"message": message, **properties}),
    )


async def read(world, path="", key="member", **query):
    return await world.request("GET", f"{ERRORS}{path}", key=key, params=query)


@pytest.fixture
async def broken(world):
    """A site with one cause in two builds and with two messages, and another error."""
    await world.track(key="member", pathname="/shop", ip_address="192.0.2.1", page_title="Shop")
    world.clock.advance(timedelta(seconds=5))
    await report(
        world,
        "Cannot read properties of undefined (reading 'price')",
        stack=CHROME.format("price", "3f2a1b9c", 12),
        release="1.0",
    )
    world.clock.advance(timedelta(seconds=30))
    await report(
        world,
        "Cannot read properties of undefined (reading 'name')",
        visitor="192.0.2.2",
        stack=CHROME.format("name", "77aa11bb", 40),
        release="1.1",
    )
    await report(world, "Failed to fetch", visitor="192.0.2.2")
    return world


@pytest.fixture
async def groups(broken):
    """The ids of the two groups, the more frequent one first."""
    return [one["id"] for one in (await read(broken)).json["data"]]


@on_both_stores
async def test_one_cause_is_one_group_across_builds_and_messages(broken):
    response = await read(broken)

    assert response.status_code == 200
    assert response.json["meta"]["total"] == 2
    first = response.json["data"][0]
    assert first.pop("id").startswith("1-")
    assert first == {
        "message": "Cannot read properties of undefined (reading 'name')",
        "errorName": "TypeError",
        "fileName": "https://example.com/app.77aa11bb.js",
        "count": 2,
        "sessionCount": 2,
        "percentage": 66.67,
        "firstSeen": "2026-03-14T12:00:05.000Z",
        "lastSeen": "2026-03-14T12:00:35.000Z",
        "firstRelease": "1.0",
        "lastRelease": "1.1",
        "regressedRelease": None,
        "status": "open",
        "resolvedAt": None,
        "resolvedInNextRelease": False,
        "mute": None,
        "assignee": None,
        "comments": [],
    }


@pytest.mark.cells
@on_both_stores
async def test_the_page_of_a_group_has_stacks_places_sessions_and_a_trail(broken, groups):
    page = (await read(broken, f"/{groups[0]}")).json["data"]

    assert sorted((one["count"], one["release"]) for one in page["stacks"]) == [(1, "1.0"), (1, "1.1")]
    assert page["distinctStacks"] == 2
    assert page["pages"] == [{"value": "/cart", "count": 2}]
    assert page["releases"] == [{"value": "1.0", "count": 1}, {"value": "1.1", "count": 1}]
    assert len(page["sessions"]) == 2
    older = page["sessions"][1]["session_id"]
    trail = (await read(broken, f"/{groups[0]}", session=older)).json["data"]["trail"]
    assert [(one["type"], one["pathname"], one["text"]) for one in trail] == [
        ("pageview", "/shop", "Shop"),
        ("error", "/cart", "Cannot read properties of undefined (reading 'price')"),
    ]


async def again(world, release, *, minutes):
    """Let the first error happen again in a release, and return it as listed."""
    world.clock.advance(timedelta(minutes=minutes))
    message = "Cannot read properties of undefined (reading 'x')"
    await report(world, message, stack=CHROME.format("x", "ab12cd34", 1), release=release)
    [found] = [one for one in (await read(world)).json["data"] if one["message"] == message]
    return found["status"], found["regressedRelease"]


@on_both_stores
async def test_a_resolved_group_reopens_at_once_in_another_release_than_before(broken, groups):
    await decide(broken, groups[0], state="resolved")

    found = [await again(broken, release, minutes=3) for release in ("1.0", None, "1.1", "1.2", "1.0")]

    assert found == [("resolved", None)] * 3 + [("regressed", "1.2")] * 2


@on_both_stores
async def test_a_resolved_group_reopens_in_a_release_of_before_when_ten_minutes_are_over(broken, groups):
    await decide(broken, groups[0], state="resolved")

    found = [await again(broken, "1.0", minutes=minutes) for minutes in (10, 1)]

    assert found == [("resolved", None), ("regressed", "1.0")]


@on_both_stores
async def test_a_group_resolved_in_the_next_release_goes_on_in_those_of_before(broken, groups):
    answer = await decide(broken, groups[0], state="resolved", inNextRelease=True)
    shown = (await read(broken)).json["data"][0]

    found = [await again(broken, release, minutes=60) for release in ("1.0", "1.1", "1.2")]

    assert (answer.status_code, shown["resolvedInNextRelease"]) == (200, True)
    assert found == [("resolved", None), ("resolved", None), ("regressed", "1.2")]


async def test_a_group_resolved_in_the_next_release_reopens_without_one_when_ten_minutes_are_over(
    broken, groups
):
    await decide(broken, groups[0], state="resolved", inNextRelease=True)

    found = [await again(broken, None, minutes=minutes) for minutes in (9, 2)]

    assert found == [("resolved", None), ("regressed", None)]


@on_both_stores
async def test_a_resolved_group_regresses_in_the_release_in_which_it_happens_again(broken, groups):
    resolved = await decide(broken, groups[0], state="resolved")
    await broken.directory.catch_up()
    after = (await read(broken)).json["data"][0]
    broken.clock.advance(timedelta(minutes=11))
    await report(
        broken,
        "Cannot read properties of undefined (reading 'x')",
        stack=CHROME.format("x", "ab12cd34", 1),
        release="1.2",
    )
    again = (await read(broken)).json["data"][0]

    assert resolved.status_code == 200
    assert (after["status"], after["regressedRelease"]) == ("resolved", None)
    assert (again["status"], again["regressedRelease"]) == ("regressed", "1.2")


@pytest.mark.parametrize(
    ("mute", "ends_with_occurrence"),
    [({}, True), ({"occurrences": 2}, False), ({"until": "2026-03-14T13:00:00Z"}, False)],
)
async def test_a_muted_group_is_muted_as_long_as_was_said(broken, groups, mute, ends_with_occurrence):
    await decide(broken, groups[1], state="muted", **mute)
    muted = (await read(broken, status="muted")).json["data"]
    broken.clock.advance(timedelta(seconds=1))
    await report(broken, "Failed to fetch")
    status = (await read(broken)).json["data"][1]["status"]
    broken.clock.advance(timedelta(hours=2))
    await report(broken, "Failed to fetch")

    assert [one["id"] for one in muted] == [groups[1]]
    assert (status == "open") is ends_with_occurrence
    assert {one["status"] for one in (await read(broken)).json["data"]} == {"open"}


@pytest.mark.cells
@on_both_stores
async def test_merged_groups_are_one_until_they_are_separated(broken, groups):
    into, other = groups
    merged = await broken.request("POST", f"{ERRORS}/{into}/merge", key="member", json={"groups": [other]})
    one = (await read(broken)).json["data"]
    page = (await read(broken, f"/{other}")).json["data"]
    separated = await broken.request(
        "POST", f"{ERRORS}/{into}/separate", key="member", json={"groups": [other]}
    )

    assert (merged.status_code, separated.status_code) == (200, 200)
    assert [(group["id"], group["count"], group["sessionCount"]) for group in one] == [(into, 3, 2)]
    assert (page["id"], page["merged"]) == (into, [other])
    assert [group["id"] for group in (await read(broken)).json["data"]] == groups


async def test_comments_and_assignees_are_for_members(broken, groups):
    path = f"{ERRORS}/{groups[0]}"
    commented = await broken.request(
        "POST", f"{path}/comments", key="member", json={"text": " look at pay() "}
    )
    assigned = await broken.request("PUT", f"{path}/assignee", key="member", json={"userId": "3"})
    mine = (await read(broken, assignee="3")).json["data"]
    await broken.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CommandContext())
    public = (await read(broken, key=None)).json["data"][0]

    assert (commented.status_code, assigned.status_code) == (201, 200)
    assert [(one["id"], one["assignee"], one["comments"][0]["text"]) for one in mine] == [
        (groups[0], "3", "look at pay()")
    ]
    assert (public["assignee"], public["comments"]) == (None, [])
    stacks = (await read(broken, f"/{groups[0]}", key=None)).json["data"]["stacks"]
    assert {one["stack"] for one in stacks} == {None}
    gone = await broken.request(
        "DELETE", f"{path}/comments/{mine[0]['comments'][0]['commentId']}", key="member"
    )
    assert gone.status_code == 200
    assert (await read(broken)).json["data"][0]["comments"] == []


@pytest.mark.cells
@on_both_stores
async def test_the_longest_comment_has_lines_and_comes_back_as_it_was_written(broken, groups):
    text = "\U0001f469\u200d\U0001f4bb\n\t\U0010ffff\r\n\u05e9" * 222 + "ab"
    assert len(text) == MAX_COMMENT

    answer = await broken.request("POST", f"{ERRORS}/{groups[0]}/comments", key="member", json={"text": text})

    assert answer.status_code == 201
    shown = (await read(broken)).json["data"]
    assert [one["comments"][0]["text"] for one in shown if one["id"] == groups[0]] == [text]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field"),
    [
        ("PUT", "state", {"state": "closed"}, 400, "state"),
        ("PUT", "state", {"state": "muted", "until": "tomorrow"}, 400, "until"),
        ("PUT", "state", {"state": "muted", "until": "2020-01-01T00:00:00Z"}, 400, "until"),
        ("PUT", "state", {"state": "muted", "occurrences": 0}, 400, "occurrences"),
        ("PUT", "state", {"state": "muted", "occurrences": True}, 400, "occurrences"),
        ("PUT", "state", {"state": "resolved", "inNextRelease": "yes"}, 400, "inNextRelease"),
        ("PUT", "assignee", {"userId": "999"}, 400, "userId"),
        ("PUT", "assignee", {}, 400, "userId"),
        ("POST", "merge", {"groups": []}, 400, "groups"),
        ("POST", "merge", {"groups": ["x"]}, 400, "groups"),
        ("POST", "merge", {"groups": ["1-0123456789abcdef"]}, 404, None),
        ("POST", "separate", {"groups": ["1-0123456789abcdef"]}, 400, "groups"),
        ("POST", "comments", {"text": " "}, 400, "text"),
        ("POST", "comments", {"text": "x" * 2001}, 400, "text"),
        ("POST", "comments", {"text": "See pay()\u202e"}, 400, "text"),
        ("POST", "comments", {"text": "\x1b[31mfailed"}, 400, "text"),
        ("POST", "comments", {"text": "\u2800\n"}, 400, "text"),
        ("DELETE", "comments/0", None, 404, None),
    ],
)
async def test_a_decision_that_breaks_a_rule_is_refused_by_name(
    broken, groups, method, path, body, status, field
):
    arguments = {} if body is None else {"json": body}
    response = await broken.request(method, f"{ERRORS}/{groups[0]}/{path}", key="member", **arguments)

    assert response.status_code == status
    if field:
        assert list(response.json["details"]["fieldErrors"]) == [field]


@pytest.mark.parametrize("group", ["1-0123456789abcdef", "nothing", "1-" + "0" * 400])
async def test_a_group_that_never_occurred_is_not_found(broken, group):
    for response in (await read(broken, f"/{group}"), await decide(broken, group, state="resolved")):
        assert (response.status_code, response.json["error"]) == (404, "Error not found")


async def test_a_session_that_did_not_meet_the_error_is_refused_by_name(broken, groups):
    response = await read(broken, f"/{groups[0]}", session="ffffffffffffffff")

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == ["session"]


async def test_a_session_that_is_not_stored_any_more_is_not_found(broken, groups):
    response = await read(broken, f"/{groups[0]}", session="000000000000ffff")

    assert (response.status_code, response.json["error"]) == (404, "Session not found")


async def test_a_session_is_found_by_an_id_that_it_had_before_it_was_joined(broken, groups):
    shown = (await read(broken, f"/{groups[0]}")).json["data"]
    [joined] = [one for one in shown["sessions"] if one["session_id"] == shown["trailSession"]]
    later = f"{int(joined['session_id'], 16) + 1:016x}"

    found = (await read(broken, f"/{groups[0]}", session=later)).json["data"]

    assert found["trailSession"] == shown["trailSession"]


async def decide(world, group, **body):
    return await world.request("PUT", f"{ERRORS}/{group}/state", key="member", json=body)
