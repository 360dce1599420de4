"""The header that names the positions of an answer."""

import pytest

from footfall.application.commands.context import CommandContext
from footfall.domain.citations.positions import parse_as_of
from footfall.domain.sites.configuration import ConfigChanges
from tests.http.resources.reports.questions import CITED, EVERY, GOALS, SITE, ask, events, fill

DEFINITIONS = "comparisons=2, filters=2, sessions=2, vitals=2"


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


async def test_every_report_names_the_positions_that_it_is_made_from(world):
    await fill(world)
    answers = [await ask(world, path) for path in CITED]
    answers.append(await world.request("POST", f"{SITE}/goals/preview", key="member", json=GOALS[0]))

    found = {str(parse_as_of(one.headers["Footfall-Positions"])) for one in answers}

    at, hits = round(world.clock.now().timestamp() * 1000), len(list(events()))
    assert [one.status_code for one in answers] == [200] * len(answers)
    assert found == {
        f"site=1, at={at}, journal={world.directory.position}, traffic.main={hits}, {DEFINITIONS}"
    }


async def test_every_report_says_how_far_visitors_are_recognized(world):
    await fill(world)
    before = await ask(world, "overview")
    await world.commands.sites.configure(1, ConfigChanges(visitor_reach="month"), CommandContext())
    await world.directory.catch_up()

    answers = [await ask(world, path) for path in EVERY]
    past = await ask(world, "overview", {"as_of": before.headers["Footfall-Positions"]})

    assert {one.headers["Footfall-Visitor-Reach"] for one in answers} == {"month"}
    assert [one.headers["Footfall-Visitor-Reach"] for one in (before, past)] == ["forever", "forever"]
