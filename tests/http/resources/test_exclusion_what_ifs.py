"""What standing exclusions would leave out, over HTTP, before they are defined."""

from datetime import timedelta

import pytest

from footfall.domain.examples import NOON
from tests.application import on_both_stores
from tests.http.resources.excluding import (
    DAYS,
    ONE_HIT,
    PRICES,
    RULES,
    change,
    define,
    listed,
)
from tests.http.resources.reports.questions import event, fill


@pytest.mark.cells
@on_both_stores
async def test_a_what_if_shows_what_would_go_and_saves_nothing(world):
    await fill(world)
    late = event(7, NOON - timedelta(days=3, minutes=30), type="pageview", pathname="/only")
    assert (await world.batch([late])).status_code == 200
    asked = {"filters": ONE_HIT}

    answer = await world.request("POST", f"{RULES}/what-if", key="member", params=DAYS, json=asked)

    data = answer.json["data"]
    assert answer.status_code == 200, answer.text
    assert (data["filters"], data["sessions"], data["totalSessions"]) == (ONE_HIT, 1, 10)
    assert sum(day["sessions"] for day in data["days"]) == 1
    assert [day["date"] for day in data["days"]] == [f"2026-03-{day:02}" for day in range(9, 15)]
    assert data["countries"] == [{"value": "", "sessions": 1}]
    assert data["sources"] == [{"value": "Direct", "sessions": 1}]
    assert [one["entry_page"] for one in data["examples"]] == ["/only"]
    assert await listed(world) == []


@on_both_stores
async def test_a_what_if_is_about_what_goes_beside_other_rules(world):
    await fill(world)
    await define(world)
    everything = [{"parameter": "pathname", "type": "starts_with", "value": ["/"]}]

    async def tried(**body):
        answer = await world.request(
            "POST", f"{RULES}/what-if", key="member", params=DAYS, json={"filters": everything, **body}
        )
        return answer.json["data"]["sessions"], answer.json["data"]["totalSessions"]

    assert await tried() == (6, 6)
    assert await tried(ruleId=1) == (9, 9)
    await change(world, enabled=False)
    assert await tried() == (9, 9)


@pytest.mark.parametrize(
    ("body", "parameters", "named"),
    [
        ({}, {}, "filters"),
        ({"filters": PRICES, "ruleId": 7}, {}, "ruleId"),
        ({"filters": PRICES, "ruleId": "1"}, {}, "ruleId"),
        ({"filters": PRICES}, {"excluded": "include"}, "excluded"),
        ({"filters": PRICES}, {"segment": "1"}, "segment"),
        ({"filters": PRICES}, {"start_date": "2020-01-01", "end_date": "2026-01-01"}, "start_date"),
    ],
)
async def test_a_what_if_refuses_by_name(world, body, parameters, named):
    refused = await world.request("POST", f"{RULES}/what-if", key="member", params=parameters, json=body)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [named])
