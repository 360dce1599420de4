"""Content for readers who are no members: the numbers, and neither who visitors are nor stack traces."""

import json
import re
from itertools import cycle
from urllib.parse import quote, urlencode

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED, REPORTS
from footfall.application.access.authorization import Access
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.traffic.dimensions import of_events_alone
from tests.http.resources.reports.questions import needed_by
from tests.links import key_of, new_link
from tests.routes import api_routes, rule_of

USER = "anna@example.org"
STACK = "TypeError: x is undefined\n    at pay (https://example.com/app.js:12:7)"
MESSAGE = "x is undefined"
GOAL = {"goalType": "path", "config": {"pathPattern": "/**"}}
FUNNEL = {"name": "Twice", "steps": [{"goalId": 1}, {"goalId": 1}]}
# These have no filters.
UNFILTERED = {f"/api/sites/{{site}}/{name}" for name in ("realtime", "live", "funnels", "changes")}
POSITIONS = "{positions}"
OWN_PARAMETERS = {
    "/api/sites/{site}/changes": f"report=overview&from={POSITIONS}&to={POSITIONS}",
    **{f"/api/sites/{{site}}/{address}": urlencode(needed_by(address)) for address in REPORTS},
}
OUTSIDERS = ["a private link", "nothing", "a stranger's key"]


@pytest.fixture
async def visited(world):
    """A public site with a private link, on which a visitor with a mail address reached a goal and met an error."""
    await world.request("POST", "/api/sites/1/goals", key="member", json=GOAL)
    await world.request("POST", "/api/sites/1/funnels", key="member", json=FUNNEL)
    await world.track(key="member", user_id=USER, ip_address="192.0.2.1", pathname="/")
    properties = json.dumps({"message": MESSAGE, "stack": STACK})
    await world.track(
        key="member",
        type="error",
        event_name="TypeError",
        user_id=USER,
        ip_address="192.0.2.1",
        properties=properties,
    )
    await world.commands.sites.configure(1, ConfigChanges(public=True, share_details=True), CommandContext())
    await new_link(world.commands)
    await world.directory.catch_up()
    return world


async def read(world, who, path, query=""):
    link = key_of(world.directory.site("1").site)
    arguments = {"headers": {"X-Private-Key": link}} if who == "a private link" else {}
    key = {"a stranger's key": "stranger", "a member's key": "member"}.get(who)
    group = await group_of(world) if "{group}" in path else ""
    target = path.format(site=1, goal=1, funnel=1, group=group)
    if POSITIONS in query:
        query = query.replace(POSITIONS, quote(await positions_of(world)))
    return await world.request("GET", target, key=key, query_string=query, **arguments)


async def positions_of(world):
    """Return the positions of an answer."""
    return (await world.request("GET", "/api/sites/1/overview", key="member")).headers["Footfall-Positions"]


async def group_of(world):
    """Return the id of the only group of errors."""
    groups = await world.request("GET", "/api/sites/1/errors", key="member")
    return groups.json["data"][0]["id"]


def reports(world):
    return routes_of(world, Access.READER) + routes_of(world, Access.DETAILS)


def routes_of(world, rule):
    every = api_routes(world.framework)
    return [path for path, method, resource in every if rule_of(resource, method) is rule]


def documented(page, row):
    """The paths of a row of the table, as routes."""
    [line] = [line for line in page.splitlines() if line.startswith(f"| {row} | ")]
    listed = re.findall(r"`([a-z/<>-]+)`", line.partition(", and ")[0].split("|")[2])
    return {"/api/sites/{site}/" + path.translate(str.maketrans("<>", "{}")) for path in listed}


async def test_the_documentation_lists_what_readers_who_are_no_members_may_read(world, request):
    page = (request.config.rootpath / "docs" / "share" / "administration.md").read_text()

    reports = {
        f"/api/sites/{{site}}/{address}" for address, one in REPORTS.items() if one.access is Access.READER
    }
    others = documented(page, "always")
    assert others == {"/api/sites/{site}/changes", "/api/sites/{site}/funnels"}
    assert reports | others == set(routes_of(world, Access.READER))
    assert documented(page, "where `shareDetails` is on") == set(routes_of(world, Access.DETAILS))


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_details_that_are_not_shared_are_no_path(visited, who):
    await visited.commands.sites.configure(1, ConfigChanges(share_details=False), CommandContext())
    nowhere = await read(visited, who, "/api/sites/{site}/nowhere")
    own = OWN_PARAMETERS["/api/sites/{site}/errors/costs"]
    asked = [(path, OWN_PARAMETERS.get(path, "")) for path in routes_of(visited, Access.DETAILS)] + [
        ("/api/sites/{site}/changes", f"report={report}&from={POSITIONS}&to={POSITIONS}&{own}")
        for report, described in EXPLAINED.items()
        if described.access is Access.DETAILS
    ]

    hidden = {asking: await read(visited, who, *asking) for asking in asked}
    readable = [
        await read(visited, who, path, OWN_PARAMETERS.get(path, ""))
        for path in routes_of(visited, Access.READER)
    ]

    assert {asking: (answer.status_code, answer.json) for asking, answer in hidden.items()} == dict.fromkeys(
        asked, (nowhere.status_code, nowhere.json)
    )
    assert {answer.status_code for answer in readable} == {200}
    assert [await status(visited, path) for path, _ in asked[:-2]] == [200] * (len(asked) - 2)


async def status(world, path):
    return (await read(world, "a member's key", path, OWN_PARAMETERS.get(path, ""))).status_code


async def test_members_see_visitor_ids_and_stack_traces(visited):
    sessions = await read(visited, "a member's key", "/api/sites/1/goals/1/sessions")
    events = await read(
        visited, "a member's key", "/api/sites/1/error-events", f"errorMessage={quote(MESSAGE)}"
    )

    assert sessions.json["data"][0]["user_id"] == USER
    assert (events.json["data"][0]["user_id"], events.json["data"][0]["stack"]) == (USER, STACK)


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_readers_who_are_no_members_see_neither_visitor_ids_nor_stack_traces(visited, who):
    sessions = await read(visited, who, "/api/sites/1/goals/1/sessions")
    events = await read(visited, who, "/api/sites/1/error-events", f"errorMessage={quote(MESSAGE)}")

    [session], [event] = sessions.json["data"], events.json["data"]
    assert session["user_id"] == ""
    assert (event["user_id"], event["stack"]) == ("", None)
    assert (event["message"], event["pathname"], session["entry_page"]) == (MESSAGE, "", "/")


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_no_report_shows_visitor_ids_or_stack_traces_to_other_readers(visited, who):
    found = {path: await read(visited, who, path, OWN_PARAMETERS.get(path, "")) for path in reports(visited)}

    assert len(found) >= 12
    assert {path: answer.status_code for path, answer in found.items() if answer.status_code != 200} == {}
    assert [path for path, answer in found.items() if USER in answer.text or "at pay" in answer.text] == []


KINDS = ["equals", "not_equals", "contains", "regex"]


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_readers_who_are_no_members_cannot_filter_by_visitors(visited, who):
    allowed = {"parameter": "country", "type": "equals", "value": ["DE"]}
    surprises = {}
    # All reports read filters by one function: the kinds take turns, others for each reader.
    turn = OUTSIDERS.index(who)
    for path, kind in zip(reports(visited), cycle(KINDS[turn:] + KINDS[:turn]), strict=False):
        named = {"parameter": "user_id", "type": kind, "value": ["anna"]}
        query = f"{OWN_PARAMETERS.get(path, '')}&filters={quote(json.dumps([allowed, named]))}".strip("&")
        answer = await read(visited, who, path, query)
        if path not in UNFILTERED and (
            answer.status_code != 400
            or answer.json["details"]["fieldErrors"]["filters"]
            != ["user_id is only for members of the site's organization"]
        ):
            surprises[path] = answer.text

    assert surprises == {}


@pytest.mark.parametrize("who", OUTSIDERS)
async def test_readers_who_are_no_members_neither_count_nor_filter_by_parameters_of_query_strings(
    visited, who
):
    named = {"parameter": "query:token", "type": "contains", "value": ["a"]}
    refusal = "query:token is only for members of the site's organization"

    counted = await read(visited, who, "/api/sites/1/breakdown", "by=query:token")
    moved = await read(visited, who, "/api/sites/1/movers", "by=query:token")
    filtered = await read(visited, who, "/api/sites/1/overview", f"filters={quote(json.dumps([named]))}")

    assert {answer.status_code for answer in (counted, moved, filtered)} == {400}
    assert [answer.json["details"]["fieldErrors"] for answer in (counted, moved)] == [{"by": [refusal]}] * 2
    assert filtered.json["details"]["fieldErrors"] == {"filters": [refusal]}
    assert (await read(visited, who, "/api/sites/1/breakdown", "by=property:token")).status_code == 200


@pytest.fixture
async def described(visited):
    """The site with properties of a pageview and of a custom event."""
    pageview, event = (json.dumps({"plan": plan}) for plan in ("secret", "pro"))
    await visited.track(key="member", ip_address="192.0.2.2", pathname="/", properties=pageview)
    await visited.track(
        key="member", ip_address="192.0.2.3", type="custom_event", event_name="buy", properties=event
    )
    return visited


@pytest.mark.parametrize("who", [*OUTSIDERS, "a member's key"])
async def test_readers_who_are_no_members_count_and_filter_by_properties_of_custom_events_only(
    described, who
):
    plans = ["pro", "secret"] if who == "a member's key" else ["pro"]
    filters = {
        kind: quote(json.dumps([{"parameter": "property:plan", "type": kind, "value": ["e"]}]))
        for kind in ("contains", "not_contains")
    }

    counted = await read(described, who, "/api/sites/1/breakdown", "by=property:plan")
    moved = await read(described, who, "/api/sites/1/movers", "by=property:plan")
    sessions = [
        (await read(described, who, f"/api/sites/1/{report}", f"filters={of_kind}")).json["data"]
        for of_kind in filters.values()
        for report in ("overview", "live")
    ]

    assert [row["value"] for row in counted.json["data"]] == plans
    assert sorted(row["value"] for row in moved.json["data"]) == plans
    found = len(plans) - 1
    assert [one.get("sessions", one["visitors"]) for one in sessions] == [found, found, 3 - found, 3 - found]


async def test_a_segment_by_a_property_is_of_custom_events_for_readers_who_are_no_members(described):
    conditions = [{"parameter": "property:plan", "type": "equals", "value": ["secret", "pro"]}]
    made = await described.request(
        "POST",
        "/api/sites/1/segments",
        key="member",
        json={"name": "Plans", "filters": conditions, "personal": False},
    )
    query = f"segment={made.json['segmentId']}"

    of_readers = [
        (await read(described, who, "/api/sites/1/overview", query)).json["data"]["sessions"]
        for who in ("a member's key", "a private link")
    ]

    assert of_readers == [2, 1]


async def test_a_name_that_only_reports_have_is_refused(visited):
    name = of_events_alone("property:plan")
    filters = json.dumps([{"parameter": name, "type": "equals", "value": ["pro"]}])

    counted = await read(visited, "a member's key", "/api/sites/1/breakdown", f"by={quote(name)}")
    filtered = await read(visited, "a member's key", "/api/sites/1/overview", f"filters={quote(filters)}")

    assert list(counted.json["details"]["fieldErrors"]) == ["by"]
    assert list(filtered.json["details"]["fieldErrors"]) == ["filters[0].parameter"]


async def test_members_filter_by_visitors(visited):
    filters = quote(json.dumps([{"parameter": "user_id", "type": "equals", "value": [USER]}]))

    answer = await read(visited, "a member's key", "/api/sites/1/overview", f"filters={filters}")

    assert (answer.status_code, answer.json["data"]["sessions"]) == (200, 1)


async def test_a_private_link_beside_a_key_shows_what_the_link_shows(visited):
    link = key_of(visited.directory.site("1").site)

    answer = await visited.request(
        "GET", "/api/sites/1/goals/1/sessions", key="member", headers={"X-Private-Key": link}
    )

    assert answer.json["data"][0]["user_id"] == ""


async def test_whether_the_shared_page_shows_details_is_a_setting_that_is_off_at_first(world):
    before = await world.request("GET", "/api/sites/1", key="member")
    changed = await world.request("PUT", "/api/sites/1/config", key="admin", json={"shareDetails": True})
    after = await world.request("GET", "/api/sites/1", key="member")

    assert (before.json["shareDetails"], after.json["shareDetails"]) == (False, True)
    assert changed.json["config"]["shareDetails"] is True


@pytest.mark.parametrize("value", [1, "true", None, []])
async def test_an_invalid_value_of_the_details_setting_is_refused(world, value):
    answer = await world.request("PUT", "/api/sites/1/config", key="admin", json={"shareDetails": value})

    assert answer.status_code == 400
    assert answer.json["details"]["fieldErrors"] == {"shareDetails": ["must be true or false"]}
