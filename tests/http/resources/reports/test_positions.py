"""The header that names the positions of an answer."""

import pytest

from footfall.domain.citations.positions import parse_as_of

SITE = "/api/sites/1"
REPORTS = [
    "overview",
    "timeseries?bucket=day",
    "breakdown?by=country",
    "outbound",
    "web-vitals",
    "realtime",
    "live",
    "goals",
    "goals/1/sessions",
    "error-names",
    "errors/new",
    "error-events?errorMessage=x",
    "error-bucketed",
    "errors",
]

DEFINITIONS = "comparisons=2, filters=2, sessions=2, vitals=2"


@pytest.fixture(params=["memory", "postgres"], ids=["memory", "postgres"])
def adapter(request):
    return request.param


async def test_every_report_names_the_positions_that_it_is_made_from(world):
    goal = {"goalType": "path", "config": {"pathPattern": "/"}}
    await world.request("POST", f"{SITE}/goals", key="member", json=goal)
    await world.track(pathname="/")
    await world.track(pathname="/a")
    answers = [await world.request("GET", f"{SITE}/{path}", key="member") for path in REPORTS]
    answers.append(await world.request("POST", f"{SITE}/goals/preview", key="member", json=goal))

    found = {str(parse_as_of(one.headers["Footfall-Positions"])) for one in answers}

    at = round(world.clock.now().timestamp() * 1000)
    assert [one.status_code for one in answers] == [200] * len(answers)
    assert found == {f"site=1, at={at}, journal={world.directory.position}, traffic.main=2, {DEFINITIONS}"}
