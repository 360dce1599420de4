"""Journeys over HTTP."""

from datetime import timedelta

import pytest

from tests.application import STORES

JOURNEYS = "/api/sites/1/journeys"
NOT_ENGAGED = {
    "engaged_time": None,
    "engaged_pageviews": 0,
    "scroll_depth": None,
    "scrolled_pageviews": 0,
}
GOAL = {"name": "Signed up", "goalType": "event", "config": {"eventName": "signup"}}


@pytest.fixture(params=STORES)
def adapter(request):
    return request.param


@pytest.fixture
async def visited(world):
    """A site with a goal; one visitor goes from the prices to the documentation and signs up, another one leaves."""
    await world.request("POST", "/api/sites/1/goals", key="member", json=GOAL)
    for address in ("192.0.2.1", "192.0.2.2"):
        await world.track(key="member", pathname="/pricing", ip_address=address)
    world.clock.advance(timedelta(seconds=90))
    await world.track(key="member", pathname="/docs", ip_address="192.0.2.1")
    await world.track(key="member", type="custom_event", event_name="signup", ip_address="192.0.2.1")
    return world


async def test_journeys_show_what_came_next_and_what_ended(visited):
    found = await visited.request("GET", f"{JOURNEYS}?after=page:/pricing&custom_events=true", key="member")

    docs, signup = {"type": "page", "name": "/docs"}, {"type": "event", "name": "signup"}
    ended, taken = (
        {"type": "ended", "name": ""},
        {"sessions": 1, **NOT_ENGAGED},
    )
    assert found.json["data"] == {
        "sessions": 2,
        "steps": [
            {"step": 1, "sessions": 1, "names": [{**docs, **taken}], "others": 0, "ended": 1},
            {"step": 2, "sessions": 1, "names": [{**signup, **taken}], "others": 0, "ended": 0},
            {"step": 3, "sessions": 0, "names": [], "others": 0, "ended": 1},
        ],
        "links": [
            {"step": 1, "from_type": "beginning", "from": "", **docs, **taken},
            {"step": 1, "from_type": "beginning", "from": "", **ended, **taken},
            {"step": 2, "from_type": "page", "from": "/docs", **signup, **taken},
            {"step": 3, "from_type": "event", "from": "signup", **ended, **taken},
        ],
    }


async def test_journeys_lead_back_from_a_goal(visited):
    found = await visited.request("GET", f"{JOURNEYS}?before=goal:1", key="member")

    names = [
        [(one["name"], one["sessions"]) for one in step["names"]] for step in found.json["data"]["steps"]
    ]
    assert names == [[("/docs", 1)], [("/pricing", 1)], []]


async def test_engagement_of_a_step_is_that_of_its_views_that_reported_it(visited):
    told = ({"engaged_time": 20_000}, {"engaged_time": 41_000, "scroll_depth": 75}, None)
    for number, reported in enumerate(told, start=10):
        view, address = {"event_id": f"view-{number}", "pathname": "/tour"}, f"192.0.2.{number}"
        await visited.track(key="member", **view, ip_address=address)
        if reported is not None:
            measure = {"type": "engagement", "pageview_id": view["event_id"], **reported}
            await visited.track(key="member", **measure, ip_address=address)

    found = await visited.request("GET", f"{JOURNEYS}?step_1=page:/tour", key="member")

    engaged = {"engaged_time": 30.5, "engaged_pageviews": 2, "scroll_depth": 75.0, "scrolled_pageviews": 1}
    assert found.json["data"]["steps"][0]["names"] == [
        {"type": "page", "name": "/tour", "sessions": 3, **engaged}
    ]
    assert found.json["data"]["links"][0].items() >= engaged.items()


@pytest.mark.cells
async def test_journeys_are_compared_by_the_same_names(visited):
    today = visited.clock.now().date()
    days = {"start_date": str(today + timedelta(days=1)), "end_date": str(today + timedelta(days=1))}
    visited.clock.advance(timedelta(days=1, minutes=5))
    for path in ("/pricing", "/blog"):
        await visited.track(key="member", pathname=path, ip_address="192.0.2.9")
    asked = {**days, "after": "page:/pricing", "compare_with": "previous"}

    found = await visited.request("GET", JOURNEYS, key="member", params=asked)
    file = await visited.request("GET", JOURNEYS, key="member", params=asked, headers={"Accept": "text/csv"})

    data = found.json["data"]
    assert (data["sessions"], data["previous"]) == (1, 2)
    assert [(one["name"], one["sessions"], one["previous"]) for one in data["steps"][0]["names"]] == [
        ("/blog", 1, 0)
    ]
    # "/docs" is named in the other period alone.
    assert data["steps"][0]["previous"] == {"sessions": 1, "others": 1, "ended": 1}
    assert [(way["type"], way["sessions"], way["previous"]) for way in data["links"]] == [
        ("page", 1, 0),
        ("others", 0, 1),
        ("ended", 0, 1),
        ("ended", 1, 0),
        ("ended", 0, 1),
    ]
    assert [*found.json["comparison"]] == ["current", "previous"]
    assert file.text.splitlines()[0].endswith(",engaged_pageviews,scroll_depth,scrolled_pageviews,previous")


async def test_a_chosen_step_is_named_as_in_the_answer(visited):
    found = await visited.request("GET", f"{JOURNEYS}?step_1=page:/pricing&step_2=page:/docs", key="member")

    assert found.json["data"]["sessions"] == 1


async def test_a_goal_of_the_past_is_the_beginning_as_of_then(visited):
    before = await visited.request("GET", f"{JOURNEYS}?after=goal:1", key="member")
    positions = before.headers["Footfall-Positions"]
    changed = {**GOAL, "config": {"eventName": "order"}}
    await visited.request("PUT", "/api/sites/1/goals/1", key="member", json=changed)

    now = await visited.request("GET", f"{JOURNEYS}?after=goal:1", key="member")
    asked = {"after": "goal:1", "as_of": positions}
    then = await visited.request("GET", JOURNEYS, key="member", params=asked)

    assert (now.json["data"]["sessions"], then.json["data"]) == (0, before.json["data"])


async def test_every_fault_is_named_together(visited):
    asked = f"{JOURNEYS}?after=goal:9&before=goal:1&custom_events=yes&step_2=/docs"

    refused = await visited.request("GET", asked, key="member")

    assert refused.json["details"]["fieldErrors"] == {
        "after": ["must name a goal of this site by its id, such as goal:7"],
        "before": ["must not come together with after"],
        "custom_events": ["must be true or false"],
        "step_2": [
            "must be a page, a group of pages or an event, such as page:/pricing, group:Orders or event:signup"
        ],
    }
