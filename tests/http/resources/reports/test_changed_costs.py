"""Why costs of errors have changed, over HTTP."""

import json

from tests.application import on_both_stores
from tests.http.resources.reports.explained import (
    OTHER,
    changes_of,
    define,
    difference,
    live,
    positions_of,
    sums,
)
from tests.http.resources.reports.questions import SITE

pytestmark = on_both_stores


async def test_costs_of_errors_are_explained_by_hits_merges_and_deploys(world):
    await define(world)
    before = await live(world, "first")
    problem = json.dumps({"message": "y is undefined", "stack": "at b"})
    await world.track(
        key="member", user_id="first", type="error", event_name="RangeError", properties=problem
    )
    listed = await world.request("GET", f"{SITE}/errors", key="member")
    groups = {one["message"]: one["id"] for one in listed.json["data"]}
    into, merged = groups["x is undefined"], groups["y is undefined"]
    await world.request("POST", f"{SITE}/errors/{into}/merge", key="member", json={"groups": [merged]})
    deploy = {"release": "1.1", "at": world.clock.now().isoformat()}
    await world.request("POST", f"{SITE}/releases", key="member", json=deploy)
    after = await positions_of(world)

    asked = {"report": "error-costs", "goal": 1, "from": before, "to": after}
    every, alone = [
        (await changes_of(world, **asked, **more)).json["data"] for more in ({}, {"group": merged})
    ]

    assert [part["cause"] for part in every["parts"]] == ["events", "error-groups-merged", "annotation-added"]
    rows = {row["key"]["id"]: row for row in every["rows"]}
    assert [part["sessions"] for part in rows[merged]["parts"]] == [1, -1, 0]
    # The group that it was merged into costs what it cost before.
    assert {row["key"]["id"] for row in alone["rows"]} == {into, merged}
    for row in (*every["rows"], *alone["rows"]):
        assert sums(row) == difference(row)
        assert "low" not in row["after"]


async def test_costs_for_a_goal_that_was_changed_are_not_explained(world):
    await define(world)
    before = await live(world, "first")
    await world.request("PUT", f"{SITE}/goals/1", key="member", json=OTHER)
    after = await positions_of(world)

    refusal = await changes_of(world, report="error-costs", goal=1, **{"from": before, "to": after})

    [error] = refusal.json["details"]["fieldErrors"]["from"]
    assert "cannot be asked" in error
    assert "the goal was changed or deleted since" in error


async def test_a_goal_that_was_changed_and_set_back_changes_no_costs(world):
    await define(world)
    before = await live(world, "first")
    goal = (await world.request("GET", f"{SITE}/goals", key="member")).json["data"][0]
    for body in (OTHER, {name: goal[name] for name in ("name", "goalType", "config")}):
        await world.request("PUT", f"{SITE}/goals/1", key="member", json=body)
    after = await positions_of(world)

    explained = await changes_of(world, report="error-costs", goal=1, **{"from": before, "to": after})

    assert explained.status_code == 200
    assert explained.json["data"]["parts"] == []
