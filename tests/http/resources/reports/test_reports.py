"""Reports over HTTP: what goals counted, which sessions, how much traffic."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest

from tests.application import on_both_stores

GOALS = "/api/sites/1/goals"
PRICING = {"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing*"}}
SIGNUP = {"name": "signup", "goalType": "event", "config": {"eventName": "signup"}}
FUNNEL = {"name": "Buy", "steps": [{"goalId": 1}, {"goalId": 2}]}


@pytest.fixture
async def busy(world):
    """A site with two goals and two visitors: one looks at prices and signs up, one looks at the front page."""
    for goal in (PRICING, SIGNUP):
        await world.request("POST", GOALS, key="member", json=goal)
        world.clock.advance(timedelta(seconds=1))
    await world.request("POST", "/api/sites/1/funnels", key="member", json=FUNNEL)
    await world.track(
        key="member", pathname="/", ip_address="192.0.2.1", referrer="https://news.example.org/a"
    )
    world.clock.advance(timedelta(seconds=90))
    await world.track(key="member", pathname="/pricing/team", ip_address="192.0.2.1")
    await world.track(key="member", pathname="/", ip_address="192.0.2.2")
    world.clock.advance(timedelta(seconds=30))
    await world.track(
        key="member", type="custom_event", event_name="signup", ip_address="192.0.2.1", user_id="anna"
    )
    return world


async def test_a_preview_that_does_not_hold_everything_stored_says_so(busy):
    busy.projection.behind = 7

    previewed = await busy.request("POST", f"{GOALS}/preview", key="member", json=SIGNUP)

    assert (previewed.status_code, previewed.headers["Footfall-Incomplete"]) == (200, "7")


async def read(world, path, query="", key="member"):
    return await world.request("GET", path, key=key, query_string=query)


@on_both_stores
async def test_the_list_shows_what_each_goal_counted(busy):
    response = await read(busy, GOALS, "sort=goalId&order=asc")

    assert response.json == {
        "data": [
            {
                "goalId": number,
                **goal,
                "createdAt": created,
                "total_conversions": 1,
                "total_sessions": 2,
                "conversion_rate": 0.5,
                "total_sessions_with_pageviews": 2,
            }
            for number, goal, created in (
                (1, PRICING, "2026-03-14T12:00:00.000Z"),
                (2, SIGNUP, "2026-03-14T12:00:01.000Z"),
            )
        ],
        "meta": {"total": 2, "page": 1, "pageSize": 20, "totalPages": 1},
    }


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", [3, 2, 1]),
        ("order=asc", [1, 2, 3]),
        ("sort=name&order=asc", [1, 3, 2]),
        ("sort=goalType&order=asc&limit=1", [2]),
        ("sort=goalId&order=desc&page_size=2", [3, 2]),
        ("sort=total_conversions", [3, 1, 2]),
        ("sort=conversion_rate&order=asc&page=2&limit=2", [3]),
    ],
)
async def test_the_list_is_sorted_and_cut_as_asked(busy, query, ids):
    every = {"name": "Q", "goalType": "path", "config": {"pathPattern": "/*"}}
    await busy.request("POST", GOALS, key="member", json=every)

    response = await read(busy, GOALS, query)

    assert [goal["goalId"] for goal in response.json["data"]] == ids


@on_both_stores
async def test_the_sessions_of_a_goal_have_all_fields(busy):
    response = await read(busy, f"{GOALS}/1/sessions")

    assert response.json == {
        "data": [
            {
                "session_id": "0000000000000001",
                "user_id": "anna",
                "country": "",
                "browser": "Firefox",
                "operating_system": "Linux",
                "device_type": "desktop",
                "entry_page": "/",
                "exit_page": "/pricing/team",
                "pageviews": 2,
                "session_duration": 120,
                "session_start": "2026-03-14T12:00:02.000Z",
                "session_end": "2026-03-14T12:02:02.000Z",
                "referrer": "https://news.example.org/a",
                "channel": "Referral",
            }
        ],
        "meta": {"total": 1, "page": 1, "pageSize": 25, "totalPages": 1},
    }


async def test_a_preview_counts_and_saves_nothing(busy):
    body = {"goalType": "path", "config": {"pathPattern": "/"}}

    previewed = await busy.request("POST", f"{GOALS}/preview", key="member", json=body)

    assert previewed.status_code == 200
    assert previewed.json == {
        "data": {
            "name": "/",
            **body,
            "total_conversions": 2,
            "total_sessions": 2,
            "conversion_rate": 1.0,
            "total_sessions_with_pageviews": 2,
        }
    }
    assert len((await read(busy, GOALS)).json["data"]) == 2


@on_both_stores
async def test_the_overview_shows_the_period_and_the_one_before(busy):
    response = await read(busy, "/api/sites/1/overview", "start_date=2026-03-14&end_date=2026-03-14")

    assert response.json == {
        "data": {
            "sessions": 2,
            "visitors": 2,
            "pageviews": 3,
            "events": 1,
            "bounce_rate": 0.5,
            "average_session_duration": 60.0,
            "sessions_with_pageviews": 2,
            "engaged_time": None,
            "engaged_sessions": 0,
        },
        "previous": {
            "sessions": 0,
            "visitors": 0,
            "pageviews": 0,
            "events": 0,
            "bounce_rate": 0.0,
            "average_session_duration": 0.0,
            "sessions_with_pageviews": 0,
            "engaged_time": None,
            "engaged_sessions": 0,
        },
        "comparison": {
            "current": {"start": "2026-03-14T00:00:00.000Z", "end": "2026-03-14T12:02:02.000Z"},
            "previous": {"start": "2026-03-13T00:00:00.000Z", "end": "2026-03-13T12:02:02.000Z"},
        },
        "dataSince": "2026-03-14T12:00:02.000Z",
    }


async def test_a_measured_page_still_bounces(world):
    await world.track(pathname="/")
    await world.track(type="performance", lcp=1200)
    await world.track(type="error", event_name="E", properties='{"message": "m"}')

    response = await read(world, "/api/sites/1/overview", "start_date=2026-03-14&end_date=2026-03-14")

    assert response.json["data"]["bounce_rate"] == 1.0


@pytest.mark.cells
@on_both_stores
async def test_the_timeseries_has_every_bucket(busy):
    query = "start_date=2026-03-14&end_date=2026-03-14&bucket=hour&time_zone=Asia/Kathmandu"

    response = await read(busy, "/api/sites/1/timeseries", query)

    points = response.json["data"]
    assert len(points) == 24
    assert points[0]["time"] == "2026-03-13T18:15:00.000Z"
    assert [point["sessions"] for point in points if point["sessions"]] == [2]


@pytest.mark.cells
@on_both_stores
async def test_filters_select_sessions(busy):
    query = [{"parameter": "event_name", "type": "equals", "value": ["signup"]}]

    response = await read(busy, GOALS, f"filters={quote(json.dumps(query))}&sort=goalId&order=asc")

    assert [goal["total_sessions"] for goal in response.json["data"]] == [1, 1]


@pytest.mark.parametrize(
    ("path", "query", "accepted"),
    [
        (GOALS, "sort=colour", "total_conversions"),
        (GOALS, "order=up", "asc, desc"),
        (GOALS, "limit=201", "1 to 200"),
        (GOALS, "bucket=hour", "accepted are"),
        (f"{GOALS}/1/sessions", "page=0", "whole number"),
        (f"{GOALS}/1/sessions", "sort=name", "accepted are"),
        ("/api/sites/1/timeseries", "bucket=fortnight", "fifteen_minutes"),
        ("/api/sites/1/timeseries", "bucket=minute", "2,000"),
        ("/api/sites/1/overview", "page=1", "accepted are"),
    ],
)
async def test_a_refusal_names_what_is_accepted(busy, path, query, accepted):
    response = await read(busy, path, query)

    assert response.status_code == 400
    assert accepted in json.dumps(response.json["details"])


async def test_all_faults_are_reported_together(busy):
    response = await read(busy, GOALS, "start_date=x&time_zone=y&page=z&sort=w&filters=v&u=1")

    assert set(response.json["details"]["fieldErrors"]) == {
        "start_date",
        "end_date",
        "time_zone",
        "page",
        "sort",
        "filters",
        "u",
    }


@pytest.mark.parametrize("goal", ["99", "x", "9" * 30, "-1", "²"])
async def test_an_unknown_goal_has_no_sessions(busy, goal):
    response = await read(busy, f"{GOALS}/{quote(goal)}/sessions")

    assert (response.status_code, response.json["error"]) == (404, "Goal not found")


async def test_a_page_past_the_end_is_empty_with_the_total(busy):
    response = await read(busy, f"{GOALS}/1/sessions", "page=7&limit=1")

    assert response.json == {"data": [], "meta": {"total": 1, "page": 7, "pageSize": 1, "totalPages": 1}}


@on_both_stores
async def test_sessions_with_a_pageview_stand_beside_all_sessions(world):
    goal = {"goalType": "event", "config": {"eventName": "paid"}}
    await world.request("POST", "/api/sites/1/goals", key="member", json=goal)
    await world.track(key="member", user_id="reader", pathname="/")
    await world.track(key="member", user_id="reader", type="custom_event", event_name="paid")
    await world.track(key="member", user_id="server", type="custom_event", event_name="paid")

    overview = await read(world, "/api/sites/1/overview", "")
    goals = await read(world, "/api/sites/1/goals", "")
    file = await world.request("GET", "/api/sites/1/goals", key="member", headers={"Accept": "text/csv"})

    assert (overview.json["data"]["sessions"], overview.json["data"]["sessions_with_pageviews"]) == (2, 1)
    [listed] = goals.json["data"]
    assert (listed["total_conversions"], listed["total_sessions"]) == (2, 2)
    assert listed["total_sessions_with_pageviews"] == 1
    [names, row] = file.text.splitlines()
    assert dict(zip(names.split(","), row.split(","), strict=True))["total_sessions_with_pageviews"] == "1"
