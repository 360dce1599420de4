"""Reports by links: each opens what its panels show, in the segment of the link, and tells of no other sessions."""

import json
import re
from datetime import datetime, timedelta
from urllib.parse import urlencode

import pytest

from footfall.adapters.http.resources.reports.catalogue import EXPLAINED, REPORTS
from footfall.application.access.authorization import PUBLIC_SITE_RULES, RULES, Access, Relation
from footfall.application.access.shared_links import PARAMETERS
from footfall.application.commands.context import CommandContext
from footfall.domain.examples import NOON
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.sites.sharing.shared_links import SharedPanel
from tests.application import on_both_stores
from tests.http.resources.links import PANELS, THIRD, key_of_new, read, segment_of
from tests.http.resources.reports.questions import (
    EVERY,
    PERIOD,
    SITE,
    define,
    event,
    explained_of,
    fill,
    path_of,
)
from tests.links import new_link
from tests.routes import api_routes, rule_of

# What an address names that is there.
THERE = dict.fromkeys(("site", "goal", "funnel", "organization"), "1")
RULE = {"name": "Third", "goalType": "path", "config": {"pathPattern": "/pricing/3"}}
# What no link opens, whatever its panels: single visits and errors, the last minutes, bots, money by source.
CLOSED = {
    *("sessions", "goals/{goal}/sessions", "error-events", "errors", "errors/new", "errors/costs"),
    *("errors/{group}/cost", "realtime", "live", "bots", "revenue"),
}


async def test_a_link_opens_its_own_site_only(world):
    link = await key_of_new(world)
    sites = "/api/organizations/1/sites"
    await world.request("POST", sites, key="owner", json={"name": "Other", "domain": "other.example"})

    other = await world.request("GET", "/api/sites/3/overview", headers={"X-Private-Key": link})

    assert (await read(world, "overview", link)).status_code == 200
    assert other.status_code == 401


async def test_a_wrong_api_key_is_refused_beside_a_link(world):
    link = await key_of_new(world)

    assert (await read(world, "overview", link, key="ff_wrong")).status_code == 401


async def test_a_member_with_a_link_reads_by_their_key_what_it_does_not_open(world):
    link = await key_of_new(world, panels=[])

    assert (await read(world, "goals", link, key="member")).status_code == 200
    assert (await read(world, "goals", link)).status_code == 403


@pytest.mark.parametrize("public", [False, True], ids=["private", "public"])
@pytest.mark.parametrize("panel", SharedPanel)
async def test_a_link_opens_the_endpoints_of_its_panels_and_no_other_route(world, panel, public):
    await world.commands.sites.configure(
        1, ConfigChanges(public=public, share_details=True), CommandContext()
    )
    await define(world)
    link = await key_of_new(world, panels=[panel.value])
    opened = {SharedPanel.OVERVIEW, panel}
    expected = {f"/api/sites/{{site}}/{name}" for name, one in REPORTS.items() if one.panels & opened}

    surprises = []
    for path, method, resource in api_routes(world.framework):
        rule = rule_of(resource, method)
        if rule is Access.OPEN:
            continue
        # What is not named here is not there.
        target = re.sub(r"{(\w+)}", lambda part: THERE.get(part[1], "999"), path)
        arguments = {"json": {}} if method in {"POST", "PUT", "PATCH"} else {}
        answer = await world.request(method, target, headers={"X-Private-Key": link}, **arguments)
        opens = method == "GET" and (path in expected or path.endswith("/changes"))
        if (answer.status_code not in {401, 403}) is not opens or answer.status_code >= 500:
            surprises.append((method, path, answer.status_code))

    assert surprises == []


def test_no_rule_admits_the_readers_of_links():
    admitting = {
        rule for rules in (RULES, PUBLIC_SITE_RULES) for rule in rules if Relation.SHARED in rules[rule]
    }

    assert admitting == {Access.OPEN}


def test_each_report_has_panels_or_is_closed_to_every_link():
    assert {name for name, report in REPORTS.items() if not report.panels} == CLOSED
    assert {panel for report in REPORTS.values() for panel in report.panels} == set(SharedPanel)


def test_each_parameter_of_a_report_that_links_open_is_taken_or_refused_on_purpose():
    refused = {"segment", "excluded", "past_minutes_start", "past_minutes_end"}

    for report in REPORTS.values():
        if report.panels:
            assert {*report.own, *report.shown, *report.named, *report.common} - PARAMETERS == refused


def in_the_next_hour(world):
    """Let an hour and some minutes pass, and return the instant then and the beginning of its hour."""
    world.clock.advance(timedelta(hours=1, minutes=20))
    now = world.clock.now()
    return now.isoformat(), now.replace(minute=0, second=0, microsecond=0).isoformat()


@pytest.mark.cells
@on_both_stores
@pytest.mark.parametrize("accept", ["application/json", "text/csv"])
async def test_a_report_by_link_is_that_of_a_member_with_the_same_segment(world, adapter, accept):
    await fill(world)
    number = await segment_of(world)
    link = await key_of_new(world, segmentId=number)
    addresses = [name for name, report in REPORTS.items() if report.panels]
    states = [({}, {})]
    if adapter == "memory":
        # The clock of the server tells the minutes elsewhere.
        now, hour = in_the_next_hour(world)
        await world.batch([event(3, NOON - timedelta(days=3), type="pageview", pathname="/pricing/3")])
        states.append(({"as_of": now}, {"as_of": hour}))

    differing, unlimited = [], []
    for address in addresses:
        path = path_of(address)
        asked = EVERY[path] | (PERIOD if "start_date" in REPORTS[address].common else {})
        for of_link, of_member in states:
            more, headers = asked | of_member, {"Accept": accept}
            by_link = await read(world, path, link, asked | of_link, headers=headers)
            query = {"params": more | {"segment": number}, "headers": headers}
            by_member = await world.request("GET", f"{SITE}/{path}", key="member", **query)
            every = await world.request("GET", f"{SITE}/{path}", key="member", params=more, headers=headers)
            assert (by_link.status_code, by_member.status_code) == (200, 200), (path, by_link.text)
            if by_link.content != by_member.content:
                differing.append((path, more))
            if by_link.content == every.content:
                unlimited.append((path, more))
            assert not {"footfall-excluded", "footfall-positions"} & set(by_link.headers)
            assert {"footfall-visitor-reach"} <= set(by_link.headers)

    assert (differing, unlimited) == ([], [])


async def test_an_explanation_by_link_has_the_rows_of_a_member_with_the_same_segment(world):
    await fill(world)
    number = await segment_of(world)
    link = await key_of_new(world, segmentId=number)
    since = in_the_next_hour(world)
    for visitor in (3, 4):
        at = NOON - timedelta(days=3, minutes=visitor) + timedelta(seconds=45)
        await world.batch([event(visitor, at, type="pageview", pathname="/pricing/3")])
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=RULE)
    until = in_the_next_hour(world)

    for name, report in EXPLAINED.items():
        if not report.panels:
            continue
        asked = PERIOD | explained_of(name) | {"report": name}
        by_link = await read(world, "changes", link, asked | {"from": since[0], "to": until[0]})
        query = {"params": asked | {"segment": number, "from": since[1], "to": until[1]}}
        by_member = await world.request("GET", f"{SITE}/changes", key="member", **query)
        assert by_link.status_code == 200, (name, by_link.text)
        assert by_link.json["data"]["rows"] == by_member.json["data"]["rows"], name
        told = set().union(*by_link.json["data"]["parts"])
        assert not {"userId", "keyPrefix", "ruleName", "hits", "position"} & told
        assert [by_link.json["data"][end] for end in ("from", "to")] == [
            instant_text(datetime.fromisoformat(hour)) for _, hour in (since, until)
        ]
        assert "footfall-positions" not in by_link.headers


async def test_explanations_of_reports_that_a_link_does_not_show_are_refused(world):
    await fill(world)
    link = await key_of_new(world, panels=[])
    now, _ = in_the_next_hour(world)

    for name, report in EXPLAINED.items():
        asked = PERIOD | explained_of(name) | {"report": name, "from": now, "to": now}
        answer = await read(world, "changes", link, asked)
        assert answer.status_code == (200 if SharedPanel.OVERVIEW in report.panels else 403), name


async def test_the_past_of_a_link_is_that_of_its_present_segment(world):
    await fill(world)
    number = await segment_of(world, [{"parameter": "pathname", "type": "starts_with", "value": ["/"]}])
    link = await key_of_new(world, segmentId=number)
    before = await read(world, "overview", link, PERIOD)
    now, hour = in_the_next_hour(world)
    past = {**PERIOD, "as_of": now}

    narrowed = {"name": "Third", "filters": THIRD}
    await world.request("PUT", f"{SITE}/segments/{number}", key="member", json=narrowed)
    after = await read(world, "overview", link, past)
    filtered = await world.request(
        "GET",
        f"{SITE}/overview",
        key="member",
        params=past | {"as_of": hour, "filters": json.dumps(THIRD)},
    )

    assert before.json["data"]["sessions"] == 9
    assert after.json["data"]["sessions"] == 3
    assert after.content == filtered.content


async def test_a_segment_by_goals_selects_by_the_present_goals_in_the_past_too(world):
    await fill(world)
    number = await segment_of(world, [{"parameter": "goal", "type": "equals", "value": ["1"]}])
    link = await key_of_new(world, segmentId=number)
    before = await read(world, "overview", link, PERIOD)
    past = {**PERIOD, "as_of": in_the_next_hour(world)[0]}

    await world.request("PUT", f"{SITE}/goals/1", key="member", json=RULE)
    now, then = await read(world, "overview", link, PERIOD), await read(world, "overview", link, past)

    assert [one.json["data"]["sessions"] for one in (before, now, then)] == [9, 3, 3]


@pytest.mark.parametrize(
    ("panels", "path", "query", "named"),
    [
        (["pages"], "overview", {"filters": [("country", "equals", ["DE"])]}, "filters"),
        (["pages"], "overview", {"filters": [("goal", "equals", ["1"])]}, "filters"),
        (["pages"], "overview", {"filters": [("hits", "equals", ["1"])]}, "filters"),
        (PANELS, "overview", {"filters": [("user_id", "equals", ["anna"])]}, "filters"),
        (PANELS, "overview", {"filters": [("property:plan", "equals", ["pro"])]}, "filters"),
        (PANELS, "overview", {"filters": [("query:token", "equals", ["x"])]}, "filters"),
        (["pages"], "breakdown", {"by": "country"}, "by"),
        (["places"], "breakdown", {}, "by"),
        (["places"], "movers", {}, "by"),
        (PANELS, "breakdown", {"by": "property:plan"}, "by"),
        (PANELS, "breakdown", {"by": "location_source"}, "by"),
        (["pages"], "breakdown", {"goal": "1"}, "goal"),
        (["retention"], "retention", {"goal": "1"}, "goal"),
        (["journeys"], "journeys", {"after": "goal:1"}, "after"),
        (PANELS, "overview", {"segment": "1"}, "segment"),
        (PANELS, "overview", {"excluded": "include"}, "excluded"),
        (PANELS, "overview", {"past_minutes_start": "9", "past_minutes_end": "8"}, "past_minutes_start"),
        (PANELS, "timeseries", {"bucket": "minute"}, "bucket"),
        (PANELS, "timeseries", {"bucket": "fifteen_minutes"}, "bucket"),
        (PANELS, "error-bucketed", {"bucket": "five_minutes"}, "bucket"),
    ],
)
async def test_what_a_link_does_not_show_is_refused_by_name(world, panels, path, query, named):
    await define(world)
    await segment_of(world)
    link = await key_of_new(world, panels=panels)
    if "filters" in query:
        parts = [dict(zip(("parameter", "type", "value"), one, strict=True)) for one in query["filters"]]
        query = {"filters": json.dumps(parts)}

    answer = await world.request(
        "GET", f"{SITE}/{path}", headers={"X-Private-Key": link}, query_string=urlencode(query)
    )

    assert answer.status_code == 400
    assert named in answer.json["details"]["fieldErrors"]


@pytest.mark.parametrize(
    ("parameter", "value"), [("goal", "1"), ("goal", "7"), ("funnel", "1.1"), ("funnel", "7.1")]
)
async def test_a_refused_filter_does_not_tell_what_the_site_has(world, parameter, value):
    await define(world)
    link = await key_of_new(world, panels=["pages"])
    filters = json.dumps([{"parameter": parameter, "type": "equals", "value": [value]}])

    answer = await read(world, "overview", link, {"filters": filters})

    assert answer.status_code == 400
    assert answer.json["details"]["fieldErrors"] == {"filters": [f"this link does not show {parameter}"]}


@pytest.mark.parametrize("bucket", ["hour", "day", "week", "month"])
async def test_buckets_of_a_link_are_hours_or_longer(world, bucket):
    link = await key_of_new(world)

    assert (await read(world, "timeseries", link, PERIOD | {"bucket": bucket})).status_code == 200


async def test_filters_by_what_a_link_shows_are_taken(world):
    await fill(world)
    link = await key_of_new(world, panels=["pages", "goals"], segmentId=await segment_of(world))
    by_page = json.dumps([{"parameter": "pathname", "type": "equals", "value": ["/pricing/1"]}])
    by_goal = json.dumps([{"parameter": "goal", "type": "equals", "value": ["1"]}])

    sessions = [
        (await read(world, "overview", link, PERIOD | {"filters": filters})).json["data"]["sessions"]
        for filters in (by_page, by_goal)
    ]

    assert sessions == [0, 3]


@pytest.mark.parametrize("path", ["overview", "changes"])
async def test_positions_are_refused_of_a_link_with_the_reason(world, path):
    await fill(world)
    link = await key_of_new(world)
    asked = await world.request("GET", f"{SITE}/overview", key="member")
    positions = asked.headers["Footfall-Positions"]
    names = ("from", "to") if path == "changes" else ("as_of",)

    given = dict.fromkeys(names, positions) | ({"report": "overview"} if path == "changes" else {})
    answer = await read(world, path, link, given)

    assert answer.status_code == 400
    [[error], *_] = answer.json["details"]["fieldErrors"].values()
    assert "positions tell when events were stored" in error


async def test_an_hour_that_began_before_all_records_is_refused_by_name(world):
    await fill(world)
    link = await key_of_new(world)
    world.clock.advance(timedelta(minutes=20))

    answer = await read(world, "overview", link, {"as_of": world.clock.now().isoformat()})

    assert answer.status_code == 400
    [error] = answer.json["details"]["fieldErrors"]["as_of"]
    assert error.endswith("on; of a link the beginning of the hour counts")


async def test_the_private_link_takes_and_names_positions(world):
    await fill(world)
    private = await new_link(world.commands)

    present = await read(world, "overview", private, PERIOD)
    positions = present.headers["Footfall-Positions"]
    again = await read(world, "overview", private, PERIOD | {"as_of": positions})

    assert (again.status_code, again.content) == (200, present.content)


async def test_the_past_of_a_link_stands_still_within_an_hour(world):
    await fill(world)
    link = await key_of_new(world)
    now, _ = in_the_next_hour(world)
    before = await read(world, "overview", link, PERIOD | {"as_of": now})

    answers = []
    for _ in range(3):
        await world.batch([event(9, NOON - timedelta(days=3), type="pageview", pathname="/")])
        world.clock.advance(timedelta(minutes=9))
        now = world.clock.now().isoformat()
        answers.append((await read(world, "overview", link, PERIOD | {"as_of": now})).content)
    world.clock.advance(timedelta(minutes=30))
    later = await read(world, "overview", link, PERIOD | {"as_of": world.clock.now().isoformat()})

    assert set(answers) == {before.content}
    assert later.json["data"]["sessions"] == before.json["data"]["sessions"] + 1
