"""GET /api/sites/<site_id>/revenue: conversions and their money by the source of a visit."""

import json
from datetime import timedelta

import pytest

from footfall.domain.examples import NOON
from tests.application import in_memory, on_both_stores

REVENUE = "/api/sites/1/revenue"
ORDERS = {
    "name": "Orders",
    "goalType": "event",
    "config": {"eventName": "order"},
    "value": {"property": "amount", "currency": "EUR"},
}
THANKS = {"name": "Thanks", "goalType": "path", "config": {"pathPattern": "/thanks"}}
DAY = timedelta(days=1)
PERIOD = {"start_date": "2026-03-12", "end_date": "2026-03-14", "goal": "1"}


@pytest.fixture
async def sold(world):
    """Two visitors, of whom one comes by a search, by a mail and then without a source, and orders twice."""
    for goal in (ORDERS, THANKS):
        await world.request("POST", "/api/sites/1/goals", key="member", json=goal)
    for visitor, days, source in (
        (1, 9, {"referrer": "https://www.google.com/"}),
        (1, 5, {"querystring": "?utm_source=newsletter&utm_campaign=spring"}),
        (2, 5, {}),
        (1, 1, {}),
        (2, 1, {}),
    ):
        await track(world, visitor, NOON - days * DAY, **source)
    await order(world, 1, 19.99)
    await order(world, 1, "0.01")
    await order(world, 1, "free")
    await order(world, 2, 5)
    await track(world, 2, NOON - DAY, pathname="/thanks")
    return world


async def track(world, visitor, at, **fields):
    address = f"192.0.2.{visitor}"
    answer = await world.track(key="member", ip_address=address, timestamp=at.isoformat(), **fields)
    assert answer.status_code == 200


async def order(world, visitor, amount):
    properties = json.dumps({"amount": amount})
    event = {"type": "custom_event", "event_name": "order", "properties": properties}
    await track(world, visitor, NOON - DAY + timedelta(minutes=1), **event)


async def asked(world, key="member", **parameters):
    return await world.request("GET", REVENUE, key=key, params={**PERIOD, **parameters})


def sums_of(answer):
    return {row["value"]: (row["count"], row["sum"]) for row in answer.json["data"]}


@on_both_stores
async def test_each_model_gives_all_money_to_some_visit(sold):
    answers = {model: await asked(sold, model=model) for model in ("first", "last", "last_not_direct")}

    assert {model: sums_of(answer) for model, answer in answers.items()} == {
        "first": {"Organic Search": (2, 20.0), "Direct": (1, 5.0)},
        "last": {"Direct": (3, 25.0)},
        "last_not_direct": {"Email": (2, 20.0), "Direct": (1, 5.0)},
    }
    assert [answer.json["totals"] for answer in answers.values()] == [
        {"count": 3, "sum": 25.0, "signed": 0}
    ] * 3
    assert answers["first"].json["meta"] == {
        "total": 2,
        "page": 1,
        "pageSize": 20,
        "totalPages": 1,
        "property": "amount",
        "currency": "EUR",
        "models": ["first"],
        "lookback": 30,
    }
    assert answers["first"].headers["Footfall-Visitor-Reach"] == "forever"


@pytest.mark.cells
@on_both_stores
async def test_two_models_stand_side_by_side(sold):
    answer = await asked(sold, by="utm_campaign", compare_model="last", limit="1")

    assert answer.json["data"] == [
        {"value": "spring", "count": 2, "sum": 20.0, "compared_count": 0, "compared_sum": 0.0}
    ]
    assert answer.json["meta"]["total"] == 2


@pytest.mark.cells
@on_both_stores
async def test_each_value_and_the_total_are_compared_with_another_period(sold):
    await track(sold, 2, NOON - 4 * DAY, type="custom_event", event_name="order", properties='{"amount": 4}')
    days = {"compare_start_date": "2026-03-09", "compare_end_date": "2026-03-10"}

    answer = await asked(sold, model="last", compare_model="first", **days)
    previous = await asked(sold, by="utm_campaign", limit="1", compare_with="previous")
    file = await sold.request(
        "GET", REVENUE, key="member", params={**PERIOD, **days}, headers={"Accept": "text/csv"}
    )
    refused = await asked(sold, compare_with="never")

    then = {"previous_count": 1, "previous_sum": 4.0}
    assert [(row["value"], row["previous_count"], row["previous_sum"]) for row in answer.json["data"]] == [
        ("Direct", 1, 4.0),
        ("Organic Search", 0, 0.0),
    ]
    assert answer.json["totals"] == {"count": 3, "sum": 25.0, "signed": 0, **then}
    assert [*answer.json["comparison"]] == ["current", "previous"]
    # The order of the other period has no campaign: its value is on another page.
    assert previous.json["data"] == [
        {"value": "spring", "count": 2, "sum": 20.0, "previous_count": 0, "previous_sum": 0.0}
    ]
    assert previous.json["totals"] == {"count": 3, "sum": 25.0, "signed": 0, **then}
    assert file.text.splitlines()[0] == "value,count,sum,previous_count,previous_sum"
    assert refused.status_code == 400


@on_both_stores
async def test_visits_count_for_some_days(sold):
    assert sums_of(await asked(sold, model="first", lookback="5")) == {"Email": (2, 20.0), "Direct": (1, 5.0)}
    assert sums_of(await asked(sold, model="first", lookback="1")) == {"Direct": (3, 25.0)}


@on_both_stores
async def test_a_goal_without_money_has_conversions_alone(sold):
    answer = await asked(sold, goal="2")

    assert sums_of(answer) == {"Direct": (1, None)}
    assert answer.json["totals"] == {"count": 1, "sum": None, "signed": 0}
    assert (answer.json["meta"]["property"], answer.json["meta"]["currency"]) == (None, None)


@pytest.mark.cells
@on_both_stores
async def test_an_answer_of_the_past_and_its_explanation_follow_visits_before_the_period_too(sold):
    before = await asked(sold, model="first")
    positions = before.headers["Footfall-Positions"]
    await track(sold, 2, NOON - 8 * DAY, referrer="https://www.google.com/")

    after = await asked(sold, model="first")
    again = await asked(sold, model="first", as_of=positions)
    named = {"report": "revenue", "from": positions, "to": after.headers["Footfall-Positions"]}
    changes = await sold.request(
        "GET", "/api/sites/1/changes", key="member", params={**PERIOD, "model": "first", **named}
    )

    assert sums_of(after) == {"Organic Search": (3, 25.0)}
    assert again.json == before.json
    rows = {row["key"]["value"]: row["parts"] for row in changes.json["data"]["rows"]}
    assert rows == {"Organic Search": [{"count": 1, "sum": 5.0}], "Direct": [{"count": -1, "sum": -5.0}]}


async def test_a_file_has_the_figures_of_both_models(sold):
    answer = await sold.request(
        "GET",
        REVENUE,
        key="member",
        params={**PERIOD, "compare_model": "first"},
        headers={"Accept": "text/csv"},
    )

    assert answer.text.splitlines() == [
        "value,count,sum,compared_count,compared_sum",
        "Email,2,20.0,0,0.0",
        "Direct,1,5.0,1,5.0",
        "Organic Search,0,0.0,2,20.0",
    ]


@in_memory
@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"goal": "9"}, "goal"),
        ({"property": "plan"}, "property"),
        ({"property": ""}, "property"),
        ({"goal": "2", "property": "amount"}, "property"),
        ({"by": "browser"}, "by"),
        ({"model": "linear"}, "model"),
        ({"compare_model": "linear"}, "compare_model"),
        ({"lookback": "91"}, "lookback"),
    ],
)
async def test_faulty_parameters_are_refused_by_name(sold, parameters, field):
    answer = await asked(sold, **parameters)

    assert (answer.status_code, list(answer.json["details"]["fieldErrors"])) == (400, [field])


async def test_a_goal_has_to_be_named(sold):
    answer = await sold.request("GET", REVENUE, key="member")

    assert answer.json["details"]["fieldErrors"] == {"goal": ["is required: the goalId of a goal"]}
    assert (await asked(sold, key=None)).status_code == 401
