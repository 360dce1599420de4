"""Questions why an answer has changed that are refused, over HTTP."""

import json

import pytest

from tests.application import in_memory
from tests.http.resources.reports.explained import GOAL, changes_of, positions_of
from tests.http.resources.reports.questions import SITE


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


@in_memory
@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ({"report": "weather"}, "report", "must be one of overview, "),
        ({"report": "sessions"}, "report", "lists of single sessions and errors have no figures"),
        ({"report": "movers"}, "by", "must be one of"),
        ({"report": "movers", "by": "country", "compare_with": "x"}, "compare_with", "must be one of"),
        ({"report": "error-costs"}, "goal", "is required"),
        ({"report": "error-costs", "goal": "1", "group": "x"}, "group", "must be the id of a group"),
        ({"report": "breakdown"}, "by", "must be one of"),
        ({"report": "breakdown", "by": "pathname", "goal": "7"}, "goal", "must be the id of a goal"),
        ({"report": "funnel"}, "funnel", "must be the id of a funnel"),
        ({"report": "properties"}, "event", "is required"),
        ({"goal": "1"}, "goal", "unknown parameter"),
        ({"as_of": "2026-11-22T10:15:00Z"}, "as_of", "unknown parameter"),
        ({"from": "2026-11-22T10:15:00"}, "from", "must be an instant with its zone"),
        ({"to": "site=2, at=0, journal=1, traffic.main=1"}, "to", "positions of site 2"),
        ({"to": "site=1, at=0, journal=99999, traffic.main=99999"}, "to", "positions of the future"),
        ({"to": "2099-11-22T10:15:00Z"}, "to", "lies in the future; accepted are instants up to"),
        ({"from": "site=1, at=0, journal=0, traffic.main=1"}, "from", "before the site was registered"),
        ({"filters": "["}, "filters", "must be a JSON array"),
        ({"segment": "9"}, "segment", "must be the number of a segment"),
        ({"limit": "0"}, "limit", "must be"),
    ],
)
async def test_what_is_not_accepted_is_refused_by_its_name(world, given, field, message):
    await world.track(pathname="/")
    positions = await positions_of(world)

    refusal = await changes_of(world, **{"report": "overview", "from": positions, "to": positions} | given)

    assert refusal.status_code == 400, refusal.text
    assert message in refusal.json["details"]["fieldErrors"][field][0]


async def test_positions_before_the_first_hit_are_refused_with_the_first_one(world):
    registered = await positions_of(world)
    await world.track(pathname="/")
    after = await positions_of(world)

    refusal = await changes_of(world, report="overview", **{"from": registered, "to": after})

    [error] = refusal.json["details"]["fieldErrors"]["from"]
    assert error.endswith("before the first event of this site; accepted are later ones")


async def test_a_goal_that_the_earlier_answer_did_not_know_is_refused_by_its_position(world):
    await world.track(pathname="/")
    before = await positions_of(world)
    await world.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    after = await positions_of(world)
    filters = json.dumps([{"parameter": "goal", "type": "equals", "value": ["1"]}])

    asked = {"report": "overview", "filters": filters, "from": before, "to": after}
    refusal = await changes_of(world, **asked)

    [error] = refusal.json["details"]["fieldErrors"]["from"]
    assert "cannot be asked" in error
    assert "this site has no goal 1" in error


async def test_an_earlier_answer_does_not_come_later(world):
    await world.track(pathname="/")
    before = await positions_of(world)
    await world.track(pathname="/")
    after = await positions_of(world)

    refusal = await changes_of(world, report="overview", **{"from": after, "to": before})

    assert refusal.json["details"]["fieldErrors"] == {"to": ["must not be before from"]}


async def test_both_answers_and_the_report_are_required(world):
    refusal = await changes_of(world)

    assert set(refusal.json["details"]["fieldErrors"]) == {"report", "from", "to"}
