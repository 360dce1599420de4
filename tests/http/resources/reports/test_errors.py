"""Captured errors over HTTP: what was reported is read back, and what is asked badly is refused by name."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest

from footfall.application.commands.context import CommandContext
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.site import ErrorResolved
from tests.application import on_both_stores

SITE = "/api/sites/1"
MESSAGE = "x is not defined"
ABOUT = f"errorMessage={quote(MESSAGE)}"
READS = {
    "error-names": "",
    "errors/new": "",
    "error-events": ABOUT,
    "error-bucketed": "",
}


async def report(world, message=MESSAGE, name="ReferenceError", visitor="192.0.2.1", more=None, **properties):
    """Report an error as a visitor's browser would."""
    return await world.track(
        key="member",
        type="error",
        event_name=name,
        ip_address=visitor,
        pathname="/cart",
        properties=json.dumps({"message": message, **properties}, ensure_ascii=False),
        **(more or {}),
    )


async def read(world, path, query="", key="member"):
    return await world.request("GET", f"{SITE}/{path}", key=key, query_string=query)


async def resolve(world, message=MESSAGE, key="member"):
    return await world.request("POST", f"{SITE}/errors/resolve", key=key, json={"errorMessage": message})


async def states(world):
    """Return the status of each message by its text, and of each group by its id."""
    names, groups = await read(world, "error-names"), await read(world, "errors")
    return {one["value"]: one["status"] for one in names.json["data"]} | {
        one["id"]: one["status"] for one in groups.json["data"]
    }


@pytest.fixture
async def broken(world):
    """A site with three occurrences of an error, in two sessions, and one of another error."""
    stack = "ReferenceError: x is not defined\n    at pay (https://example.com/app.js:12:7)"
    await report(world, stack=stack)
    world.clock.advance(timedelta(seconds=30))
    await report(world, visitor="192.0.2.2", filename="b.js", lineno=3, colno=4)
    await report(world, visitor="192.0.2.2", line_number=5, column_number=6, fileName="c.js")
    await report(world, "Failed to fetch", "TypeError")
    return world


@on_both_stores
async def test_names_have_all_fields(broken):
    response = await read(broken, "error-names")

    assert response.status_code == 200
    assert response.json == {
        "data": [
            {
                "value": MESSAGE,
                "errorName": "ReferenceError",
                "count": 3,
                "sessionCount": 2,
                "percentage": 75.0,
                "firstSeen": "2026-03-14T12:00:00.000Z",
                "lastSeen": "2026-03-14T12:00:30.000Z",
                "status": "open",
            },
            {
                "value": "Failed to fetch",
                "errorName": "TypeError",
                "count": 1,
                "sessionCount": 1,
                "percentage": 25.0,
                "firstSeen": "2026-03-14T12:00:30.000Z",
                "lastSeen": "2026-03-14T12:00:30.000Z",
                "status": "open",
            },
        ],
        "meta": {"total": 2, "page": 1, "pageSize": 20, "totalPages": 1},
    }


@on_both_stores
async def test_events_have_all_fields_and_what_is_not_known_is_empty(broken):
    response = await read(broken, "error-events", ABOUT)

    last, _, first = response.json["data"]
    assert first == {
        "timestamp": "2026-03-14T12:00:00.000Z",
        "session_id": "0000000000000001",
        "user_id": first["user_id"],
        "pathname": "/cart",
        "hostname": "example.com",
        "browser": "Firefox",
        "browser_version": "140.0",
        "operating_system": "Linux",
        "device_type": "desktop",
        "country": "",
        "message": MESSAGE,
        "stack": "ReferenceError: x is not defined\n    at pay (https://example.com/app.js:12:7)",
        "fileName": "https://example.com/app.js",
        "lineNumber": 12,
        "columnNumber": 7,
    }
    assert last["stack"] == ""


async def test_the_spellings_of_browser_scripts_are_understood(broken):
    response = await read(broken, "error-events", ABOUT)

    places = [(one["fileName"], one["lineNumber"], one["columnNumber"]) for one in response.json["data"]]
    assert places == [("c.js", 5, 6), ("b.js", 3, 4), ("https://example.com/app.js", 12, 7)]


@pytest.mark.cells
@on_both_stores
async def test_buckets_fill_the_period_with_zeros(broken):
    query = f"{ABOUT}&start_date=2026-03-14&end_date=2026-03-14&time_zone=Asia/Kathmandu"

    response = await read(broken, "error-bucketed", query)

    assert response.json["success"] is True
    data = response.json["data"]
    assert (len(data), data[0]) == (24, {"time": "2026-03-13T18:15:00.000Z", "error_count": 0})
    filled = [one for one in data if one["error_count"]]
    assert filled == [{"time": "2026-03-14T11:15:00.000Z", "error_count": 3}]


async def test_buckets_without_a_message_are_of_all_errors(broken):
    response = await read(broken, "error-bucketed", "past_minutes_start=5&past_minutes_end=0&bucket=minute")

    # The last second of a period is not in it.
    assert sum(one["error_count"] for one in response.json["data"]) == 1


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", "2026-10-25", 25),
        ("Europe/Berlin", "2026-03-29", 23),
        ("America/New_York", "2026-11-01", 25),
        ("America/New_York", "2026-03-08", 23),
        ("Australia/Lord_Howe", "2026-04-05", 25),
        ("Australia/Lord_Howe", "2026-10-04", 24),
        ("Asia/Kathmandu", "2026-03-29", 24),
    ],
)
async def test_days_on_which_clocks_change_have_the_hours_that_they_have(broken, zone, day, hours):
    response = await read(
        broken, "error-bucketed", f"start_date={day}&end_date={day}&time_zone={zone}&bucket=hour"
    )

    assert len(response.json["data"]) == hours


async def test_new_errors_are_listed_latest_first(broken):
    response = await read(broken, "errors/new")

    assert [one["value"] for one in response.json["data"]] == ["Failed to fetch", MESSAGE]


async def test_pages_are_cut(broken):
    names = await read(broken, "error-names", "limit=1&page=2")
    events = await read(broken, "error-events", f"{ABOUT}&limit=2&page=2")

    assert [one["value"] for one in names.json["data"]] == ["Failed to fetch"]
    assert names.json["meta"] == {"total": 2, "page": 2, "pageSize": 1, "totalPages": 2}
    assert len(events.json["data"]) == 1
    assert events.json["meta"] == {"total": 3, "page": 2, "pageSize": 2, "totalPages": 2}


@pytest.mark.parametrize(("path", "total"), [("error-names", 2), ("errors/new", 2), ("error-events", 3)])
async def test_a_page_past_the_end_is_empty_and_tells_how_many_there_are(broken, path, total):
    response = await read(broken, path, "&".join(filter(None, [READS[path], "page=99"])))

    meta = {"total": total, "page": 99, "pageSize": 20, "totalPages": 1}
    assert (response.status_code, response.json) == (200, {"data": [], "meta": meta})


async def test_an_error_that_never_occurred_has_no_pages(broken):
    response = await read(broken, "error-events", "errorMessage=never")

    assert response.json == {"data": [], "meta": {"total": 0, "page": 1, "pageSize": 20, "totalPages": 0}}


async def test_buckets_are_the_same_on_every_page(broken):
    pages = [await read(broken, "error-bucketed", query) for query in ("", "page=2&limit=1")]

    assert [one.status_code for one in pages] == [200, 200]
    assert pages[0].json == pages[1].json


async def test_a_line_may_be_written_with_a_fraction_of_zero_and_a_file_by_its_end(world):
    stack = "TypeError: m\n    at load (https://e.com/lib.js:1:5)\n    at pay (https://e.com/app.js:42:7)"
    reported = [
        await report(world, "written", lineNumber=42.0, columnNumber=7.0),
        await report(world, "short", fileName="app.js", stack=stack),
    ]

    found = [
        (await read(world, "error-events", f"errorMessage={message}")).json["data"][0]
        for message in ("written", "short")
    ]
    assert [one.status_code for one in reported] == [200, 200]
    assert [(one["fileName"], one["lineNumber"], one["columnNumber"]) for one in found] == [
        ("", 42, 7),
        ("app.js", 42, 7),
    ]
    assert all(isinstance(one["lineNumber"], int) for one in found)


async def test_filters_select_sessions(broken):
    await broken.track(key="member", type="custom_event", event_name="tried", ip_address="192.0.2.1")
    chosen = json.dumps([{"parameter": "event_name", "type": "equals", "value": ["tried"]}])

    response = await read(broken, "error-names", f"filters={quote(chosen)}")

    counts = {one["value"]: (one["count"], one["percentage"]) for one in response.json["data"]}
    assert counts == {MESSAGE: (1, 50.0), "Failed to fetch": (1, 50.0)}


@on_both_stores
async def test_the_longest_message_is_found_by_its_whole_text(broken):
    message = "\N{GRINNING FACE}" * 8_191 + "!"
    tracked = await report(broken, message)
    almost = await report(broken, message[:-1] + "?")

    response = await read(broken, "error-events", f"errorMessage={quote(message)}")

    assert (tracked.status_code, almost.status_code) == (200, 200)
    assert [one["message"] for one in response.json["data"]] == [message]


@on_both_stores
async def test_a_resolved_error_is_back_when_it_happens_again_after_the_grace(broken):
    answer = await resolve(broken)
    await report(broken, fileName="c.js")
    resolved = await read(broken, "error-names")
    broken.clock.advance(timedelta(minutes=10, seconds=1))
    await report(broken, fileName="c.js")
    regressed = await read(broken, "error-names")
    again = await resolve(broken)
    resolved_again = await read(broken, "error-names")

    assert (answer.status_code, answer.json) == (200, {"success": True})
    assert again.json == {"success": True}
    lists = (resolved, regressed, resolved_again)
    assert [one.json["data"][0]["status"] for one in lists] == ["resolved", "regressed", "resolved"]
    assert {one.json["data"][1]["status"] for one in lists} == {"open"}


@pytest.mark.cells
@on_both_stores
async def test_a_message_has_the_state_of_its_cause_whichever_of_them_was_decided_about(broken):
    await report(broken, "item 7 is gone")
    await report(broken, "item 8 is gone")
    [group] = [one["id"] for one in (await read(broken, "errors")).json["data"] if one["count"] == 2]

    by_message = await resolve(broken, "item 7 is gone")
    resolved = await states(broken)
    await broken.request("PUT", f"{SITE}/errors/{group}/state", key="member", json={"state": "muted"})
    muted = await states(broken)
    await broken.request("PUT", f"{SITE}/errors/{group}/state", key="member", json={"state": "open"})
    opened = await states(broken)

    assert by_message.status_code == 200
    for found, expected in ((resolved, "resolved"), (muted, "muted"), (opened, "open")):
        assert {found[name] for name in ("item 7 is gone", "item 8 is gone", group)} == {expected}


@on_both_stores
async def test_a_message_of_several_causes_has_the_state_of_its_latest_one(broken):
    await resolve(broken)
    resolved = await states(broken)
    await report(broken, fileName="b.js")
    other = await states(broken)
    await resolve(broken)
    both = await states(broken)

    assert [one[MESSAGE] for one in (resolved, other, both)] == ["resolved", "open", "resolved"]
    assert sorted(both.values()).count("resolved") == 3


@on_both_stores
async def test_a_message_that_a_former_version_marked_as_resolved_has_resolved_its_cause(broken):
    metadata = Metadata(Actor(), broken.clock.now())
    expected = len(await broken.journal.load(site_stream(1)))
    await broken.journal.append(
        site_stream(1), [ErrorResolved(MESSAGE)], expected=expected, metadata=metadata
    )
    resolved = await states(broken)
    broken.clock.advance(timedelta(hours=1))
    await report(broken, fileName="c.js")
    regressed = await states(broken)
    [group] = [one for one, state in regressed.items() if state == "regressed" and one != MESSAGE]
    await broken.request("PUT", f"{SITE}/errors/{group}/state", key="member", json={"state": "open"})
    opened = await states(broken)

    assert [one[MESSAGE] for one in (resolved, regressed, opened)] == ["resolved", "regressed", "open"]
    assert opened[group] == "open"


async def test_an_occurrence_from_before_the_resolution_that_arrives_late_reopens_nothing(broken):
    happened = broken.clock.now()
    broken.clock.advance(timedelta(hours=1))
    await resolve(broken)
    broken.clock.advance(timedelta(hours=1))

    await report(broken, fileName="c.js", more={"timestamp": happened.isoformat()})

    names = await read(broken, "error-names")
    assert (names.json["data"][0]["count"], names.json["data"][0]["status"]) == (4, "resolved")


async def test_a_resolution_is_in_the_history_and_changes_nothing_of_the_site(broken):
    before = (await broken.request("GET", SITE, key="member")).json
    groups = (await read(broken, "errors")).json["data"]
    [group] = [one["id"] for one in groups if one["fileName"] == "c.js"]
    await resolve(broken)

    history = await broken.request("GET", f"{SITE}/history", key="admin")

    entry = history.json["data"][0]
    assert (entry["type"], entry["userId"]) == ("error-group-resolved", "3")
    assert entry["changes"][0] == {"field": "group", "from": None, "to": group}
    assert (await broken.request("GET", SITE, key="member")).json == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "errorMessage"),
        ({"errorMessage": None}, "errorMessage"),
        ({"errorMessage": 1}, "errorMessage"),
        ({"errorMessage": ""}, "errorMessage"),
        ({"errorMessage": "x" * 8_193}, "errorMessage"),
        ({"errorMessage": "\0"}, "errorMessage"),
    ],
)
async def test_a_resolution_without_a_message_is_refused(broken, body, field):
    response = await broken.request("POST", f"{SITE}/errors/resolve", key="member", json=body)

    assert response.status_code == 400
    assert list(response.json["details"]["fieldErrors"]) == [field]


async def test_an_error_that_is_not_projected_yet_is_not_reported_as_unknown(broken):
    broken.projection.behind = 7

    assert (await resolve(broken, "reported just now")).status_code == 503


async def test_an_error_that_was_never_reported_cannot_be_resolved(broken):
    response = await resolve(broken, "X is not defined")

    assert (response.status_code, response.json) == (404, {"success": False, "error": "Error not found"})


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("stranger", 403), ("member", 200)])
async def test_members_resolve_and_others_do_not(broken, key, status):
    await broken.commands.sites.configure(1, ConfigChanges(public=True), CommandContext())

    assert (await resolve(broken, key=key)).status_code == status


async def test_a_repeated_parameter_is_not_reported_as_missing(broken):
    response = await read(broken, "error-events", "errorMessage=a&errorMessage=b")

    assert response.json["details"]["fieldErrors"] == {"errorMessage": ["is given more than once"]}
