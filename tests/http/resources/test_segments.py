"""Segments over HTTP."""

import json
from datetime import timedelta

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts.organization import Role
from tests.application import on_both_stores

SITE = "/api/sites/1"
SEGMENTS = f"{SITE}/segments"
GERMAN = [{"parameter": "country", "type": "equals", "value": ["DE", "AT"]}]
OF_SITE = {"name": "German", "personal": False, "filters": GERMAN}


async def define(world, key="member", **fields):
    return await world.request(
        "POST", SEGMENTS, key=key, json={"name": "German", "filters": GERMAN, **fields}
    )


async def numbers(world, key):
    listed = await world.request("GET", SEGMENTS, key=key)
    return [one["segmentId"] for one in listed.json["data"]]


@pytest.mark.cells
@on_both_stores
async def test_segment_is_defined_listed_replaced_and_deleted(world):
    made = await define(world, personal=False)
    listed = await world.request("GET", SEGMENTS, key="owner")
    other = [{"parameter": "pathname", "type": "regex", "value": ["^/[a-c]"]}]
    changed = await world.request(
        "PUT", f"{SEGMENTS}/1", key="admin", json={"name": "Paths", "filters": other}
    )
    shown = await world.request("GET", SEGMENTS, key="owner")
    gone = await world.request("DELETE", f"{SEGMENTS}/1", key="member")

    assert (made.status_code, made.json) == (201, {"success": True, "segmentId": 1})
    assert listed.json["data"] == [{"segmentId": 1, **OF_SITE}]
    assert (changed.status_code, changed.json) == (200, {"success": True, "segmentId": 1})
    assert shown.json["data"] == [{"segmentId": 1, "name": "Paths", "personal": False, "filters": other}]
    assert (gone.status_code, await numbers(world, "owner")) == (200, [])


async def test_personal_segment_belongs_to_its_owner(world):
    assert (await define(world)).json["segmentId"] == 1

    others = {
        (method, key): (
            await world.request(
                method, f"{SEGMENTS}/1", key=key, **({"json": OF_SITE} if method == "PUT" else {})
            )
        ).status_code
        for method in ("PUT", "DELETE")
        for key in ("owner", "admin")
    }
    used = await world.request("GET", f"{SITE}/overview?segment=1", key="owner")

    assert set(others.values()) == {404}
    assert (await numbers(world, "owner"), await numbers(world, "member")) == ([], [1])
    assert (used.status_code, list(used.json["details"]["fieldErrors"])) == (400, ["segment"])


async def test_viewers_have_personal_segments_only(world):
    context = CommandContext()
    viewer = await world.commands.people.register(context)
    await world.commands.organizations.add_member("1", viewer, Role.VIEWER, context)
    key = (await world.commands.api_keys.issue(viewer, name="k", context=context)).key
    await define(world, personal=False)

    personal, of_site = await define(world, key=key), await define(world, key=key, personal=False)
    deleted = await world.request("DELETE", f"{SEGMENTS}/1", key=key)

    assert (personal.status_code, of_site.status_code, deleted.status_code) == (201, 403, 403)
    assert await numbers(world, key) == [1, 2]


@on_both_stores
async def test_report_of_a_segment_is_that_of_its_filters(world):
    for number in range(3):
        await world.track(
            key="member",
            pathname=f"/{number}",
            ip_address=f"198.51.100.{number}",
            user_agent="Mozilla/5.0 Firefox/1",
        )
    await define(world, filters=[{"parameter": "pathname", "type": "equals", "value": ["/1", "/2"]}])
    more = json.dumps([{"parameter": "entry_page", "type": "not_equals", "value": ["/2"]}])

    counts = [
        (await world.request("GET", f"{SITE}/overview", key="member", params=params)).json["data"]["sessions"]
        for params in ({}, {"segment": "1"}, {"segment": "1", "filters": more})
    ]

    assert counts == [3, 2, 1]


@pytest.mark.parametrize("number", ["2", "0", "-1", "x", "1.0", "9" * 30, ""])
async def test_unknown_segment_of_a_report_is_named(world, number):
    await define(world, personal=False)

    answered = await world.request("GET", f"{SITE}/timeseries", key="member", params={"segment": number})

    assert (answered.status_code, list(answered.json["details"]["fieldErrors"])) == (400, ["segment"])


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"filters": GERMAN}, ["name"]),
        ({"name": "", "filters": GERMAN}, ["name"]),
        ({"name": "x" * 101, "filters": GERMAN}, ["name"]),
        ({"name": "N"}, ["filters"]),
        ({"name": "N", "filters": []}, ["filters"]),
        ({"name": "N", "filters": GERMAN * 21}, ["filters"]),
        ({"name": "N", "filters": [{"parameter": "color"}]}, None),
        (
            {"name": "N", "filters": [{"parameter": "goal", "type": "equals", "value": ["9"]}]},
            ["filters[0].value"],
        ),
        ({"name": "N", "filters": GERMAN, "personal": "yes"}, ["personal"]),
    ],
)
async def test_invalid_segment_is_refused_by_field(world, body, fields):
    answered = await world.request("POST", SEGMENTS, key="member", json=body)

    found = list(answered.json["details"]["fieldErrors"])
    assert answered.status_code == 400
    assert found == fields if fields else all(name.startswith("filters[0]") for name in found)


async def test_segment_by_user_id_does_not_work_for_readers_who_are_not_members(world):
    await define(world, personal=False, filters=[{"parameter": "user_id", "type": "equals", "value": ["u"]}])
    action = {"action": "generate_private_link_key"}
    made = await world.request("POST", f"{SITE}/private-link-config", key="admin", json=action)
    link = {"X-Private-Key": made.json["data"]["privateLinkKey"]}

    member = await world.request("GET", f"{SITE}/overview?segment=1", key="member")
    shared = await world.request("GET", f"{SITE}/overview?segment=1", headers=link)

    assert (member.status_code, shared.status_code) == (200, 400)
    assert list(shared.json["details"]["fieldErrors"]) == ["segment"]


async def test_segment_with_a_deleted_goal_is_refused_by_its_name(world):
    goal = {"name": "G", "goalType": "path", "config": {"pathPattern": "/"}}
    number = (await world.request("POST", f"{SITE}/goals", key="member", json=goal)).json["goalId"]
    await define(world, filters=[{"parameter": "goal", "type": "equals", "value": [str(number)]}])
    before = await world.request("GET", f"{SITE}/overview?segment=1", key="member")
    await world.request("DELETE", f"{SITE}/goals/{number}", key="member")

    after = await world.request("GET", f"{SITE}/overview?segment=1", key="member")

    assert (before.status_code, after.status_code) == (200, 400)
    assert after.json["details"]["fieldErrors"] == {"segment": [f"this site has no goal {number}"]}


async def test_audit_log_shows_filters_of_the_site_and_no_personal_ones(world):
    await define(world, personal=False)
    await define(world, name="Confidential")

    entries = (await world.request("GET", f"{SITE}/history", key="admin")).json["data"]

    changes = [(change["field"], change["to"]) for one in entries for change in one["changes"]]
    assert ("segments.1", "German") in changes
    assert ("segments.1.filters", ["country equals DE, AT"]) in changes
    assert ("segments.2", "personal") in changes
    assert "Confidential" not in json.dumps(entries)


async def test_segment_does_not_touch_the_time_of_the_last_change_of_the_settings(world):
    before = (await world.request("GET", SITE, key="member")).json["updatedAt"]
    world.clock.advance(timedelta(minutes=1))
    await define(world, personal=False)

    assert (await world.request("GET", SITE, key="member")).json["updatedAt"] == before


async def test_values_that_contain_a_text_are_found_regardless_of_case(world):
    for path in ("/Pricing", "/pricing/teams", "/other", "/other", "/other"):
        await world.track(pathname=path)

    found = await world.request("GET", f"{SITE}/breakdown?by=pathname&search=PRICING&limit=1", key="member")
    refused = await world.request("GET", f"{SITE}/outbound", key="member", params={"search": "x" * 257})

    assert found.json["data"] == [{"value": "/Pricing", "count": 1, "percentage": 20.0}]
    assert (found.json["meta"]["total"], found.json["meta"]["count"]) == (2, 5)
    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["search"])
