"""Sessions one by one over HTTP: the list for members, the page of one, and the switch that turns both off."""

import csv
import json
from datetime import timedelta
from io import StringIO
from time import process_time

import pytest
from attrs import evolve

from footfall.adapters.http.resources.reports.sessions import TRAIL_SIZE_OF_FILES
from footfall.application.commands.context import CommandContext
from footfall.application.ports.traffic_log import Submission
from footfall.domain.goals.goal import PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.tracking.admission import PendingHit
from tests.application import on_both_stores
from tests.links import key_of, new_link

SESSIONS = "/api/sites/1/sessions"
GOAL = {"name": "Orders", "goalType": "event", "config": {"eventName": "order"}}
RULE = {
    "name": "Tests",
    "filters": [{"parameter": "hostname", "type": "equals", "value": ["test.example.com"]}],
}
NOTHING = {"goals": [], "errorGroup": None, "engagedSeconds": None, "scrollPercent": None}


async def read(world, path="", key="member", headers=None, **query):
    return await world.request("GET", f"{SESSIONS}{path}", key=key, params=query, headers=headers or {})


async def visit(world, number, **fields):
    """Track a pageview of a visitor, two minutes after what was tracked before."""
    world.clock.advance(timedelta(minutes=2))
    tracked = await world.track(key="member", ip_address=f"192.0.2.{number}", **fields)
    assert tracked.status_code == 200


def entries(answer):
    assert answer.status_code == 200, answer.text
    return [session["entry_page"] for session in answer.json["data"]]


@pytest.fixture
async def visited(world):
    """A site with five visitors, of whom the second one ordered and met an error."""
    assert (await world.request("POST", "/api/sites/1/goals", key="member", json=GOAL)).status_code == 201
    for number in range(1, 6):
        await visit(world, number, pathname=f"/{number}", referrer="https://search.example/?q=x")
    properties = json.dumps({"plan": "pro", "amount": 10**30})
    await visit(world, 2, type="custom_event", event_name="order", pathname="/2", properties=properties)
    message = json.dumps({"message": "x is undefined"})
    await visit(world, 2, type="error", event_name="TypeError", pathname="/2", properties=message)
    return world


@pytest.mark.cells
@on_both_stores
async def test_the_list_has_the_newest_sessions_first_and_goes_on_behind_its_cursor(visited):
    pages = [await read(visited, limit=2)]
    while (following := pages[-1].json["meta"]["next"]) is not None:
        assert pages[-1].headers["Footfall-Next"] == following
        pages.append(await read(visited, limit=2, cursor=following))

    assert [entries(page) for page in pages] == [["/5", "/4"], ["/3", "/2"], ["/1"]]
    assert [page.json["meta"]["pageSize"] for page in pages] == [2, 2, 2]
    assert "Footfall-Next" not in pages[-1].headers


@on_both_stores
async def test_a_session_that_comes_while_the_list_is_read_moves_none_of_the_next_page(visited):
    first = await read(visited, limit=2)
    await visit(visited, 9, pathname="/9")

    second = await read(visited, limit=2, cursor=first.json["meta"]["next"])

    assert entries(second) == ["/3", "/2"]


@pytest.mark.cells
@on_both_stores
async def test_the_list_is_filtered_and_searched(visited):
    ordered = json.dumps([{"parameter": "goal", "type": "equals", "value": [1]}])

    assert entries(await read(visited, filters=ordered)) == ["/2"]
    assert entries(await read(visited, search="/4")) == ["/4"]
    assert entries(await read(visited, search="SEARCH.EXAMPLE", limit=2)) == ["/5", "/4"]


@on_both_stores
async def test_a_session_has_its_source_and_the_trail_with_goals_and_the_times_between(visited):
    [listed] = (await read(visited, search="/2")).json["data"]

    shown = await read(visited, f"/{listed['session_id']}")

    data = shown.json["data"]
    assert {name: data[name] for name in listed} == listed
    assert (data["referrer"], data["errors"], data["custom_events"]) == ("https://search.example/?q=x", 1, 1)
    assert (data["excluded"], data["others"], data["moreOthers"]) == (False, [], False)
    assert shown.json["meta"] == {"total": 3, "page": 1, "pageSize": 200, "totalPages": 1}
    page, order, error = data["trail"]
    common = {"pathname": "/2", "querystring": "", **NOTHING}
    assert page == {
        **common,
        "timestamp": listed["session_start"],
        "type": "pageview",
        "text": "",
        "secondsSinceLast": None,
        "properties": "",
    }
    assert {name: order[name] for name in ("type", "text", "secondsSinceLast", "goals")} == {
        "type": "custom_event",
        "text": "order",
        "secondsSinceLast": 480.0,
        "goals": [{"goalId": 1, "name": "Orders"}],
    }
    assert json.loads(order["properties"]) == {"plan": "pro", "amount": 10**30}
    groups = (await visited.request("GET", "/api/sites/1/errors", key="member")).json["data"]
    assert (error["text"], error["errorGroup"]) == ("x is undefined", groups[0]["id"])


@pytest.mark.cells
@on_both_stores
async def test_the_trail_has_pages_and_is_a_file(visited):
    [listed] = (await read(visited, search="/2")).json["data"]

    second = await read(visited, f"/{listed['session_id']}", page=2, limit=2)
    file = await read(visited, f"/{listed['session_id']}", headers={"Accept": "text/csv"})

    assert [step["type"] for step in second.json["data"]["trail"]] == ["error"]
    assert second.json["data"]["trail"][0]["secondsSinceLast"] == 120.0
    assert second.json["meta"] == {"total": 3, "page": 2, "pageSize": 2, "totalPages": 2}
    rows = list(csv.DictReader(StringIO(file.text, newline="")))
    assert [(row["type"], row["goals"]) for row in rows] == [
        ("pageview", ""),
        ("custom_event", "1"),
        ("error", ""),
    ]


@on_both_stores
async def test_a_hostile_path_is_compared_with_goals_in_a_time_that_grows_with_its_length_alone(world):
    # Python's own expressions take six seconds.
    await world.commands.goals.define(1, name="A", rule=PathRule("/*-*-*/reviews"), context=CommandContext())
    await visit(world, 1, pathname="/" + "-" * 2046)
    [listed] = (await read(world)).json["data"]
    started = process_time()

    shown = await read(world, f"/{listed['session_id']}")

    assert process_time() - started < 1
    assert [step["goals"] for step in shown.json["data"]["trail"]] == [[]]


async def test_the_file_of_a_trail_has_pages(visited):
    [last, *_] = reversed(await visited.hits())
    more = [
        evolve(last, occurred_at=last.occurred_at + timedelta(seconds=n)) for n in range(TRAIL_SIZE_OF_FILES)
    ]
    await visited.log.submit(Submission([PendingHit(one) for one in more[2:]]))
    [listed] = (await read(visited, search="/2")).json["data"]
    path, as_csv = f"/{listed['session_id']}", {"Accept": "text/csv"}

    files = [await read(visited, path, headers=as_csv, page=number) for number in (1, 2)]
    more = await read(visited, path, headers=as_csv, limit=TRAIL_SIZE_OF_FILES + 1)

    assert [len(file.text.splitlines()) - 1 for file in files] == [TRAIL_SIZE_OF_FILES, 1]
    assert more.status_code == 400


@pytest.mark.cells
@on_both_stores
async def test_other_visits_are_those_of_the_visitor_as_reports_count_them(visited):
    visited.clock.advance(timedelta(hours=2))
    await visit(visited, 2, pathname="/again")
    again, first = [(await read(visited, search=text)).json["data"][0] for text in ("/again", "/2")]

    shown = (await read(visited, f"/{again['session_id']}")).json["data"]
    of_visitor = await read(visited, visitor=again["visitor"])

    assert again["visitor"] == first["visitor"]
    assert [other["session_id"] for other in shown["others"]] == [first["session_id"]]
    assert entries(of_visitor) == ["/again", "/2"]


@pytest.mark.cells
@on_both_stores
async def test_the_id_of_a_session_that_was_joined_leads_to_the_one_that_holds_it(world):
    start = world.clock.now()
    for minute in (0, 40):
        at = (start - timedelta(hours=3) + timedelta(minutes=minute)).isoformat()
        await world.track(key="member", pathname=f"/{minute}", ip_address="192.0.2.1", timestamp=at)
    later, earlier = (await read(world)).json["data"]
    before = (await read(world)).headers["Footfall-Positions"]
    between = (start - timedelta(hours=3) + timedelta(minutes=20)).isoformat()
    await world.track(key="member", pathname="/20", ip_address="192.0.2.1", timestamp=between)

    joined = await read(world, f"/{later['session_id']}")
    as_it_was = await read(world, f"/{later['session_id']}", as_of=before)

    assert joined.json["data"]["session_id"] == earlier["session_id"]
    assert [step["pathname"] for step in joined.json["data"]["trail"]] == ["/0", "/20", "/40"]
    assert as_it_was.json["data"]["session_id"] == later["session_id"]
    assert [step["pathname"] for step in as_it_was.json["data"]["trail"]] == ["/40"]
    assert entries(await read(world, as_of=before)) == ["/40", "/0"]


@on_both_stores
async def test_a_session_that_is_not_there_is_not_found(visited):
    for text in ("0000000000000fff", "7fffffffffffffff", "8000000000000000", "1", "x"):
        answer = await read(visited, f"/{text}")

        assert (answer.status_code, answer.json["error"]) == (404, "Session not found"), text


@on_both_stores
async def test_a_session_that_came_later_is_not_found_in_the_past(visited):
    before = (await read(visited)).headers["Footfall-Positions"]
    await visit(visited, 9, pathname="/9")
    [new] = (await read(visited, limit=1)).json["data"]

    answer = await read(visited, f"/{new['session_id']}", as_of=before)

    assert answer.status_code == 404


@on_both_stores
async def test_sessions_that_rules_leave_out_are_not_listed_and_their_pages_say_so(visited):
    await visit(visited, 5, pathname="/other", hostname="test.example.com")
    visited.clock.advance(timedelta(hours=1))
    await visit(visited, 5, pathname="/tests", hostname="test.example.com")
    [tests] = (await read(visited, limit=1)).json["data"]
    made = await visited.request("POST", "/api/sites/1/exclusions", key="member", json=RULE)
    assert made.status_code == 201

    listed = await read(visited)
    everything = await read(visited, excluded="include")
    excluded = (await read(visited, f"/{tests['session_id']}")).json["data"]
    [kept] = (await read(visited, search="/5")).json["data"]
    shown = (await read(visited, f"/{kept['session_id']}")).json["data"]

    assert entries(listed) == ["/5", "/4", "/3", "/2", "/1"]
    assert listed.headers["Footfall-Excluded"] == "1"
    assert entries(everything)[0] == "/tests"
    assert (excluded["excluded"], shown["excluded"]) == (True, False)
    assert [other["entry_page"] for other in excluded["others"]] == ["/5"]
    assert shown["others"] == []


@pytest.mark.parametrize("path", ["", "/0000000000000001"])
async def test_no_link_and_no_public_page_leads_to_single_sessions(visited, path):
    await visited.commands.sites.configure(
        1, ConfigChanges(public=True, share_details=True), CommandContext()
    )
    await new_link(visited.commands)
    await visited.directory.catch_up()
    link = key_of(visited.directory.site("1").site)

    by_link = await read(visited, path, key=None, headers={"X-Private-Key": link})
    anonymous = await read(visited, path, key=None)
    stranger = await read(visited, path, key="stranger")

    assert [one.status_code for one in (by_link, anonymous, stranger)] == [401, 401, 403]


@pytest.mark.parametrize(
    "path", ["sessions", "sessions/0000000000000001", "sessions/x", "goals/1/sessions", "goals/9/sessions"]
)
async def test_the_switch_of_a_site_turns_lists_and_pages_off_for_all(visited, path):
    changed = await visited.request("PUT", "/api/sites/1/config", key="admin", json={"showVisits": False})

    answers = [await visited.request("GET", f"/api/sites/1/{path}", key=key) for key in ("member", "owner")]

    assert changed.json["config"]["showVisits"] is False
    assert {(one.status_code, one.json["error"]) for one in answers} == {
        (404, "Lists of visits are turned off for this site")
    }


async def test_the_switch_is_one_of_the_present(visited):
    before = (await read(visited)).headers["Footfall-Positions"]
    await visited.request("PUT", "/api/sites/1/config", key="admin", json={"showVisits": False})

    assert (await read(visited, as_of=before)).status_code == 404


@pytest.mark.cells
@on_both_stores
async def test_the_list_has_as_many_sessions_as_a_journey_counts(visited):
    await visit(visited, 3, pathname="/2")
    asked = {"after": "page:/*", "custom_events": "true"}
    journey = await visited.request("GET", "/api/sites/1/journeys", key="member", params=asked)
    [step, *_] = journey.json["data"]["steps"]

    everything = await read(visited, **asked)
    ended = await read(visited, ended_after=0, **asked)
    named = [await read(visited, step_1=f"{one['type']}:{one['name']}", **asked) for one in step["names"]]
    first = f"{step['names'][0]['type']}:{step['names'][0]['name']}"
    others = await read(visited, other_than=json.dumps({"step": 1, "not": [first]}), **asked)
    refused = await read(visited, step_1="/2", ended_after=5)

    assert len(entries(everything)) == journey.json["data"]["sessions"] == 5
    assert len(entries(ended)) == step["ended"] == 3
    assert len(entries(others)) == step["names"][1]["sessions"]
    assert [len(entries(one)) for one in named] == [one["sessions"] for one in step["names"]] == [1, 1]
    assert (refused.status_code, {*refused.json["details"]["fieldErrors"]}) == (
        400,
        {"step_1", "ended_after"},
    )


@pytest.mark.cells
@on_both_stores
async def test_the_list_has_the_sessions_that_met_an_error_of_a_group(visited):
    for number, message in ((3, "x is undefined"), (4, "y is null")):
        properties = json.dumps({"message": message})
        await visit(
            visited, number, type="error", event_name="TypeError", pathname="/e", properties=properties
        )
    groups = (await visited.request("GET", "/api/sites/1/errors", key="member")).json["data"]
    ids = [one["id"] for one in groups]
    before = (await read(visited)).headers["Footfall-Positions"]

    listed = [entries(await read(visited, error=one)) for one in ids]
    merge = {"groups": ids[1:]}
    merged = await visited.request("POST", f"/api/sites/1/errors/{ids[0]}/merge", key="member", json=merge)

    assert [len(one) for one in listed] == [one["sessionCount"] for one in groups] == [2, 1]
    assert merged.status_code == 200, merged.text
    assert [entries(await read(visited, error=one)) for one in ids] == [["/4", "/3", "/2"]] * 2
    assert [entries(await read(visited, error=one, as_of=before)) for one in ids] == listed
    assert entries(await read(visited, error=ids[0], search="/3")) == ["/3"]
    assert entries(await read(visited, error="1-0123456789abcdef")) == []


@on_both_stores
async def test_sessions_that_were_joined_since_are_listed_by_their_errors_as_they_were(world):
    start = world.clock.now() - timedelta(hours=3)

    async def track(minute, **fields):
        at = (start + timedelta(minutes=minute)).isoformat()
        await world.track(key="member", pathname=f"/{minute}", ip_address="192.0.2.1", timestamp=at, **fields)

    failed = {"type": "error", "event_name": "TypeError", "properties": json.dumps({"message": "x"})}
    for minute in (0, 40):
        await track(minute)
        await track(minute + 1, **failed)
    [group] = (await world.request("GET", "/api/sites/1/errors", key="member")).json["data"]
    before = (await read(world, error=group["id"])).headers["Footfall-Positions"]
    await track(20)

    assert entries(await read(world, error=group["id"])) == ["/0"]
    assert entries(await read(world, error=group["id"], as_of=before)) == ["/40", "/0"]


@pytest.mark.cells
@on_both_stores
async def test_the_list_has_the_first_visits_of_as_many_visitors_as_a_cohort_has(visited):
    # All visits of the fixture are of one day; the second visitor ordered then, and the third one does the day after.
    first_day = visited.clock.now().date()
    visited.clock.advance(timedelta(days=1))
    day = visited.clock.now().date()
    for number in (2, 9):
        await visit(visited, number, pathname="/again")
    await visit(visited, 3, type="custom_event", event_name="order", pathname="/3")
    period = {"start_date": str(first_day), "end_date": str(day)}

    async def cohorts(**asked):
        asked = {"cohort": "day", **period, **asked}
        answer = await visited.request("GET", "/api/sites/1/retention", key="member", params=asked)
        return [cohort["visitors"] for cohort in answer.json["data"]]

    async def firsts(**asked):
        days = [{"first_from": str(one), "first_to": str(one)} for one in (first_day, day)]
        return [entries(await read(visited, **period, **one, **asked)) for one in days]

    came, ordered = await firsts(), await firsts(first_goal=1)
    counted, converted = await cohorts(), await cohorts(goal=1)
    later = entries(
        await read(visited, start_date=str(day), end_date=str(day), first_from=str(day), first_to=str(day))
    )
    before = (await read(visited)).headers["Footfall-Positions"]
    await visit(visited, 11, pathname="/late")
    past = await firsts(as_of=before)
    refused = await read(visited, first_to=str(day), first_goal=7)

    assert came == past == [["/5", "/4", "/3", "/2", "/1"], ["/again"]]
    assert await firsts() == [came[0], ["/late", "/again"]]
    assert [len(one) for one in came] == counted == [5, 1]
    assert [len(one) for one in ordered] == converted == [1, 1]
    assert later == ["/again"]
    assert (refused.status_code, {*refused.json["details"]["fieldErrors"]}) == (
        400,
        {"first_from", "first_goal"},
    )
