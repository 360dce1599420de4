"""What errors cost over HTTP."""

import json
from datetime import timedelta

import pytest

from tests.application import on_both_stores

ERRORS = "/api/sites/1/errors"


def sender(visitor):
    """Return what tells a visitor from the others."""
    return {"ip_address": f"192.0.2.{visitor}", "user_agent": "Mozilla/5.0 Firefox/140.0"}


async def visit(world, visitor, *, meets, converts):
    """Track a session that sees the cart, and meets an error or converts afterwards."""
    known = {"key": "member", **sender(visitor)}
    await world.track(pathname="/cart", **known)
    world.clock.advance(timedelta(seconds=1))
    if meets:
        properties = json.dumps({"message": "x is undefined"})
        await world.track(
            type="error", event_name="TypeError", pathname="/cart", properties=properties, **known
        )
    world.clock.advance(timedelta(seconds=1))
    if converts:
        await world.track(pathname="/thanks", **known)


@pytest.fixture
async def shop(world):
    """A site with a goal, two sessions that meet an error, one of which converts, and three that do not meet it."""
    body = {"goalType": "path", "config": {"pathPattern": "/thanks"}}
    await world.request("POST", "/api/sites/1/goals", key="member", json=body)
    for visitor, (meets, converts) in enumerate([(True, True), (True, False), *[(False, True)] * 3], start=1):
        await visit(world, visitor, meets=meets, converts=converts)
    return world


@on_both_stores
async def test_the_cost_of_an_error_has_its_interval(shop):
    listed = await shop.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")
    group = listed.json["data"][0]["group"]["id"]
    alone = await shop.request("GET", f"{ERRORS}/{group}/cost", key="member", query_string="goal=1")

    assert (listed.status_code, alone.json) == (200, listed.json)
    [cost] = listed.json["data"]
    assert (cost["sessions"], cost["conversions"], cost["conversionRate"]) == (2, 1, 0.5)
    loss = cost["loss"]
    assert (loss["comparedSessions"], loss["otherSessions"], loss["otherConversions"]) == (2, 3, 3)
    assert loss["conversionsLost"] == pytest.approx(1)
    assert loss["low"] < 1 < loss["high"]
    assert cost["betweenDeploys"] == []


@on_both_stores
async def test_the_cost_of_an_error_is_told_in_money(world):
    known = {"key": "member", "type": "custom_event", "event_name": "order"}
    body = {"goalType": "event", "config": {"eventName": "order"}}
    value = {"property": "amount", "currency": "EUR"}
    await world.request("POST", "/api/sites/1/goals", key="member", json={**body, "value": value})
    for visitor, meets in enumerate([True, True, False, False, False], start=1):
        await visit(world, visitor, meets=meets, converts=False)
        if not meets:
            properties = json.dumps({"amount": 10 * visitor})
            await world.track(**known, **sender(visitor), properties=properties)

    found = await world.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")

    loss = found.json["data"][0]["loss"]
    [lost] = loss["values"]
    assert (lost["property"], lost["currency"]) == ("amount", "EUR")
    # Three orders of 30, 40 and 50.
    assert [lost[name] for name in ("lost", "low", "high")] == pytest.approx(
        [40 * loss[name] for name in ("conversionsLost", "low", "high")]
    )


async def test_a_deploy_divides_the_cost_for_members(shop):
    await shop.request(
        "POST", "/api/sites/1/releases", key="member", json={"release": "1.1", "at": "2026-03-14T12:00:01Z"}
    )

    found = (await shop.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")).json

    assert [one["release"] for one in found["deploys"]] == ["1.1"]
    assert [one is None for one in found["data"][0]["betweenDeploys"]] == [True, False]


async def test_an_error_that_did_not_occur_has_no_cost(shop):
    path = f"{ERRORS}/1-0123456789abcdef/cost"

    assert (await shop.request("GET", path, key="member", query_string="goal=1")).status_code == 404


@on_both_stores
async def test_costs_are_those_of_a_named_state_while_the_goal_is_as_it_was(shop):
    now = await shop.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")
    asked = {"goal": "1", "as_of": now.headers["Footfall-Positions"]}
    shop.clock.advance(timedelta(minutes=1))
    await visit(shop, 9, meets=True, converts=False)

    then = await shop.request("GET", f"{ERRORS}/costs", key="member", params=asked)
    body = {"goalType": "path", "config": {"pathPattern": "/cart"}}
    await shop.request("PUT", "/api/sites/1/goals/1", key="member", json=body)
    changed = await shop.request("GET", f"{ERRORS}/costs", key="member", params=asked)

    assert (then.status_code, then.text) == (200, now.text)
    assert changed.status_code == 400
    assert "was changed or deleted since" in changed.json["details"]["fieldErrors"]["as_of"][0]


async def test_costs_of_a_named_state_have_the_status_of_then(shop):
    listed = await shop.request("GET", ERRORS, key="member")
    group = listed.json["data"][0]["id"]
    muted = {"state": "muted", "until": (shop.clock.now() + timedelta(minutes=5)).isoformat()}
    decided = await shop.request("PUT", f"{ERRORS}/{group}/state", key="member", json=muted)
    now = await shop.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")
    asked = {"goal": "1", "as_of": now.headers["Footfall-Positions"]}
    shop.clock.advance(timedelta(minutes=6))

    then = await shop.request("GET", f"{ERRORS}/costs", key="member", params=asked)

    assert (decided.status_code, now.json["data"][0]["group"]["status"]) == (200, "muted")
    assert then.text == now.text


@pytest.mark.cells
@on_both_stores
async def test_costs_of_a_named_state_are_known_when_the_goal_was_changed_and_set_back(shop):
    now = await shop.request("GET", f"{ERRORS}/costs", key="member", query_string="goal=1")
    asked = {"goal": "1", "as_of": now.headers["Footfall-Positions"]}
    goal = (await shop.request("GET", "/api/sites/1/goals", key="member")).json["data"][0]
    kept = {name: goal[name] for name in ("goalType", "config")}
    shop.clock.advance(timedelta(minutes=1))
    await visit(shop, 9, meets=True, converts=False)

    for body in ({"goalType": "path", "config": {"pathPattern": "/cart"}}, kept):
        answered = await shop.request("PUT", "/api/sites/1/goals/1", key="member", json=body)
        assert answered.status_code == 200
    then = await shop.request("GET", f"{ERRORS}/costs", key="member", params=asked)
    group = then.json["data"][0]["group"]["id"]
    alone = await shop.request("GET", f"{ERRORS}/{group}/cost", key="member", params=asked)

    assert (then.status_code, then.text) == (200, now.text)
    assert alone.status_code == 200
