"""The header that names the positions of an answer."""

import pytest

from footfall.domain.citations.positions import parse_as_of
from tests.http.resources.reports.questions import EVERY, GOALS, SITE, ask, events, fill

DEFINITIONS = "comparisons=2, filters=2, sessions=2, vitals=2"


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


async def test_every_report_names_the_positions_that_it_is_made_from(world):
    await fill(world)
    answers = [await ask(world, path) for path in EVERY]
    answers.append(await world.request("POST", f"{SITE}/goals/preview", key="member", json=GOALS[0]))

    found = {str(parse_as_of(one.headers["Footfall-Positions"])) for one in answers}

    at, hits = round(world.clock.now().timestamp() * 1000), len(list(events()))
    assert [one.status_code for one in answers] == [200] * len(answers)
    assert found == {
        f"site=1, at={at}, journal={world.directory.position}, traffic.main={hits}, {DEFINITIONS}"
    }
