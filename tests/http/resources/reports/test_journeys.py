"""Journeys over HTTP."""

from datetime import timedelta

import pytest

from tests.application import STORES

JOURNEYS = "/api/sites/1/journeys"
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
    assert found.json["data"] == {
        "sessions": 2,
        "steps": [
            {"step": 1, "sessions": 1, "names": [{**docs, "sessions": 1}], "others": 0, "ended": 1},
            {"step": 2, "sessions": 1, "names": [{**signup, "sessions": 1}], "others": 0, "ended": 0},
            {"step": 3, "sessions": 0, "names": [], "others": 0, "ended": 1},
        ],
        "links": [
            {"step": 1, "from_type": "beginning", "from": "", **docs, "sessions": 1},
            {"step": 1, "from_type": "beginning", "from": "", "type": "ended", "name": "", "sessions": 1},
            {"step": 2, "from_type": "page", "from": "/docs", **signup, "sessions": 1},
            {"step": 3, "from_type": "event", "from": "signup", "type": "ended", "name": "", "sessions": 1},
        ],
    }


async def test_journeys_lead_back_from_a_goal(visited):
    found = await visited.request("GET", f"{JOURNEYS}?before=goal:1", key="member")

    assert [step["names"] for step in found.json["data"]["steps"]] == [
        [{"type": "page", "name": "/docs", "sessions": 1}],
        [{"type": "page", "name": "/pricing", "sessions": 1}],
        [],
    ]


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
