"""Why an answer has changed, over HTTP."""

from datetime import timedelta

import pytest

from tests.http.resources.reports.test_positions import SITE

GOAL = {"goalType": "path", "config": {"pathPattern": "/"}}
OTHER = {**GOAL, "name": "Other", "config": {"pathPattern": "/*"}}


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


async def test_the_parts_of_an_overview_add_up(world):
    await world.track(pathname="/")
    before = await _positions(world)
    await world.track(pathname="/")
    late = world.clock.now() - timedelta(minutes=9)
    await world.track(key="member", pathname="/late", timestamp=late.isoformat())
    after = await _positions(world)

    data = (await _changes(world, report="overview", **{"from": before, "to": after})).json["data"]

    assert (data["from"], data["to"]) == (before, after)
    assert data["before"]["pageviews"] == 1
    assert data["after"]["pageviews"] == 3
    assert _sums(data) == _difference(data)
    assert [part["difference"]["pageviews"] for part in data["parts"]] == [1, 1, 0]


async def test_each_change_of_a_goal_is_named_with_its_author(world):
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    await world.track(pathname="/")
    await world.track(key="member", pathname="/b", user_id="another")
    before = await _positions(world)
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=OTHER)
    await world.request("PUT", f"{SITE}/config", key="owner", json={"blockBots": False})
    after = await _positions(world)

    asked = {"report": "goal", "goal": 1, "from": before, "to": after}
    data = (await _changes(world, **asked)).json["data"]

    assert (data["before"]["conversions"], data["after"]["conversions"]) == (1, 2)
    assert _sums(data) == _difference(data)
    *_, redefined, configured = data["parts"]
    assert (redefined["cause"], redefined["difference"]) == (
        "goal-redefined",
        {"conversions": 1, "sessions": 0},
    )
    assert redefined["userId"]
    assert configured["cause"] == "site-configured"
    assert set(configured["difference"].values()) == {0}


async def test_a_goal_that_was_defined_and_deleted_in_between_adds_up(world):
    await world.track(pathname="/")
    before = await _positions(world)
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    defined = await _positions(world)
    await world.request("DELETE", f"{SITE}/goals/1", key="member")
    after = await _positions(world)

    whole, gone = [
        (await _changes(world, report="goal", goal=1, **{"from": before, "to": to})).json["data"]
        for to in (defined, after)
    ]

    assert [part["difference"]["conversions"] for part in whole["parts"]] == [0, 0, 0, 1]
    assert [part["difference"]["conversions"] for part in gone["parts"]] == [0, 0, 0, 1, -1]


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ({"report": "funnel"}, "report", "must be one of overview, goal"),
        ({"report": "goal"}, "goal", "must be the id of a goal"),
        ({"report": "goal", "goal": "7"}, "goal", "had then"),
        ({"goal": "1"}, "goal", "report=goal only"),
        ({"from": "2026-11-22T10:15:00"}, "from", "must be an instant with its zone"),
        ({"to": "site=2, at=0, journal=1, traffic.main=1"}, "to", "positions of site 2"),
        ({"to": "site=1, at=0, journal=99999, traffic.main=99999"}, "to", "positions of the future"),
        ({"filters": "[]"}, "filters", "unknown parameter"),
    ],
)
async def test_what_is_not_accepted_is_refused_by_its_name(world, given, field, message):
    await world.track(pathname="/")
    positions = await _positions(world)

    refusal = await _changes(world, **{"report": "overview", "from": positions, "to": positions} | given)

    assert refusal.status_code == 400
    assert message in refusal.json["details"]["fieldErrors"][field][0]


async def test_an_earlier_answer_does_not_come_later(world):
    await world.track(pathname="/")
    before = await _positions(world)
    await world.track(pathname="/")
    after = await _positions(world)

    refusal = await _changes(world, report="overview", **{"from": after, "to": before})

    assert refusal.json["details"]["fieldErrors"] == {"to": ["must not be before from"]}


async def test_both_answers_are_required(world):
    refusal = await _changes(world, report="overview")

    assert set(refusal.json["details"]["fieldErrors"]) == {"from", "to"}


async def _positions(world):
    return (await world.request("GET", f"{SITE}/overview", key="member")).headers["Footfall-Positions"]


async def _changes(world, **params):
    return await world.request("GET", f"{SITE}/changes", key="member", params=params)


def _sums(data):
    return {name: sum(part["difference"][name] for part in data["parts"]) for name in data["after"]}


def _difference(data):
    return {name: data["after"][name] - data["before"][name] for name in data["after"]}
