"""Properties of events over HTTP."""

import json

import pytest

from footfall.domain.sites.currencies import MAX_CURRENCIES
from tests.application import STORES, in_memory

SITE = "/api/sites/1"
ORDERS = [{"amount": 19.9, "plan": "pro"}, {"amount": "10.10"}, {"amount": True, "plan": None}]
EURO = {"event": "order", "property": "amount", "currency": "EUR"}
GOAL = {
    "goalType": "event",
    "config": {"eventName": "order", "eventPropertyKey": "plan", "eventPropertyValue": "pro"},
}


@pytest.fixture(params=STORES)
def adapter(request):
    return request.param


@pytest.fixture
async def sold(world):
    """A site with three orders in one session."""
    for properties in ORDERS:
        await world.track(type="custom_event", event_name="order", properties=json.dumps(properties))
    return world


@pytest.mark.cells
async def test_properties_of_an_event_are_listed_with_their_currency(sold):
    await sold.request("PUT", f"{SITE}/property-currency", key="member", json=EURO)

    found = await sold.request("GET", f"{SITE}/properties?event=order", key="member")

    assert found.json["data"] == [
        {"property": "amount", "count": 3, "sessions": 1, "currency": "EUR"},
        {"property": "plan", "count": 2, "sessions": 1, "currency": None},
    ]
    assert found.json["meta"]["total"] == 2


async def test_values_are_counted_by_type_and_numbers_are_summed_up(sold):
    found = await sold.request("GET", f"{SITE}/property-values?event=order&property=amount", key="member")

    assert [(one["type"], one["value"], one["count"]) for one in found.json["data"]] == [
        ("boolean", "true", 1),
        ("number", "19.9", 1),
        ("string", "10.10", 1),
    ]
    assert found.json["numbers"] == {"count": 2, "sum": 30.0, "average": 15.0, "median": 10.1}
    assert (found.json["meta"]["distinct"], found.json["meta"]["other"]) == (3, 0)


async def test_numbers_over_time_fill_every_bucket(sold):
    question = "property-timeseries?event=order&property=amount&bucket=day"

    found = await sold.request("GET", f"{SITE}/{question}", key="member")

    assert len(found.json["data"]) == 30
    assert [one["sum"] for one in found.json["data"] if one["count"]] == [30.0]
    assert found.json["data"][0]["average"] is None


async def test_a_goal_has_the_value_of_the_events_that_satisfy_it(sold):
    await sold.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    before = await sold.request("GET", f"{SITE}/goals", key="member")
    await sold.request("PUT", f"{SITE}/property-currency", key="member", json=EURO)

    after = await sold.request("GET", f"{SITE}/goals", key="member")

    numbers = {"count": 1, "sum": 19.9, "average": 19.9, "median": 19.9}
    assert "values" not in before.json["data"][0]
    assert after.json["data"][0]["values"] == [{"property": "amount", "currency": "EUR", "numbers": numbers}]


async def test_a_goal_says_which_property_of_its_events_is_money(sold):
    value = {"property": "amount", "currency": "EUR"}
    body = {"goalType": "event", "config": {"eventName": "order"}}
    created = await sold.request("POST", f"{SITE}/goals", key="member", json={**body, "value": value})
    dollars = {**body, "value": {**value, "currency": "USD"}}
    replaced = await sold.request("PUT", f"{SITE}/goals/1", key="member", json=dollars)
    kept = await sold.request("PUT", f"{SITE}/goals/1", key="member", json={**body, "value": None})

    listed = await sold.request("GET", f"{SITE}/goals", key="member")

    assert [answer.status_code for answer in (created, replaced, kept)] == [201, 200, 200]
    numbers = {"count": 2, "sum": 30.0, "average": 15.0, "median": 10.1}
    assert listed.json["data"][0]["values"] == [{"property": "amount", "currency": "USD", "numbers": numbers}]


@pytest.mark.cells
async def test_a_preview_has_the_money_of_a_goal_and_marks_nothing(sold):
    body = {"goalType": "event", "config": {"eventName": "order"}}
    values = [{"property": key, "currency": "EUR"} for key in ("amount", "never")]

    previewed = [
        await sold.request("POST", f"{SITE}/goals/preview", key="member", json={**body, "value": value})
        for value in [*values, None, {**values[0], "currency": "€"}]
    ]

    numbers = {"count": 2, "sum": 30.0, "average": 15.0, "median": 10.1}
    assert [answer.status_code for answer in previewed] == [200, 200, 200, 400]
    assert [answer.json["data"].get("values") for answer in previewed[:3]] == [
        [{**values[0], "numbers": numbers}],
        [{**values[1], "numbers": None}],
        None,
    ]
    assert list(previewed[3].json["details"]["fieldErrors"]) == ["value.currency"]
    await sold.request("POST", f"{SITE}/goals", key="member", json=body)
    assert "values" not in (await sold.request("GET", f"{SITE}/goals", key="member")).json["data"][0]


@in_memory
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"value": "amount"}, "value"),
        ({"value": {"property": "amount"}}, "value.currency"),
        ({"value": {"property": 7, "currency": "EUR"}}, "value.property"),
        ({"value": {"property": "", "currency": "EUR"}}, "value.property"),
        ({"value": {"property": "amount", "currency": "euro"}}, "value.currency"),
        ({"value": {"property": "amount", "currency": None}}, "value.currency"),
        ({"goalType": "path", "config": {"pathPattern": "/"}}, "value"),
        ({"name": "n" * 256}, "name"),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
async def test_a_refused_goal_changes_neither_goals_nor_marks(sold, method, changes, field):
    body = {"goalType": "event", "config": {"eventName": "order"}}
    await sold.request("POST", f"{SITE}/goals", key="member", json=body)
    before = (await sold.request("GET", f"{SITE}/goals", key="member")).json
    value = {"property": "amount", "currency": "EUR"}
    path = f"{SITE}/goals/1" if method == "PUT" else f"{SITE}/goals"

    refused = await sold.request(method, path, key="member", json={**body, "value": value, **changes})

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, [field])
    assert (await sold.request("GET", f"{SITE}/goals", key="member")).json == before


async def test_a_goal_that_does_not_exist_marks_nothing(sold):
    body = {**GOAL, "value": {"property": "amount", "currency": "EUR"}}

    answer = await sold.request("PUT", f"{SITE}/goals/9", key="member", json=body)

    await sold.request("POST", f"{SITE}/goals", key="member", json=GOAL)
    listed = await sold.request("GET", f"{SITE}/goals", key="member")
    assert (answer.status_code, "values" in listed.json["data"][0]) == (404, False)


async def test_a_breakdown_has_the_money_of_the_goal_in_each_value(sold):
    body = {**GOAL, "value": {"property": "amount", "currency": "EUR"}}
    await sold.request("POST", f"{SITE}/goals", key="member", json=body)

    found = await sold.request("GET", f"{SITE}/breakdown?by=event_name&goal=1", key="member")
    without = await sold.request("GET", f"{SITE}/breakdown?by=event_name", key="member")

    numbers = {"count": 1, "sum": 19.9, "average": 19.9}
    assert found.json["data"][0]["values"] == [{"property": "amount", "currency": "EUR", "numbers": numbers}]
    assert "values" not in without.json["data"][0]


async def test_a_step_of_a_funnel_has_the_money_of_the_sessions_that_took_it(sold):
    await sold.request("PUT", f"{SITE}/property-currency", key="member", json=EURO)
    steps = [
        {"goalType": "event", "config": {"eventName": name}} for name in ("order", "order", "order", "never")
    ]
    body = {"name": "Buy", "steps": steps}

    in_session = await sold.request("POST", f"{SITE}/funnels/preview", key="member", json=body)
    days = await sold.request("POST", f"{SITE}/funnels/preview", key="member", json={**body, "withinDays": 3})

    numbers = {"count": 2, "sum": 30.0, "average": 15.0, "median": 10.1}
    value = {"property": "amount", "currency": "EUR", "numbers": numbers}
    assert [step.get("values") for step in in_session.json["data"]["steps"]] == [[value]] * 3 + [None]
    assert [step.get("values") for step in days.json["data"]["steps"]] == [None] * 4


@in_memory
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"currency": "euro"}, "currency"),
        ({"currency": 1}, "currency"),
        ({"event": ""}, "event"),
        ({"event": None}, "event"),
        ({"property": "x" * 8193}, "property"),
    ],
)
async def test_a_faulty_mark_is_refused_by_the_name_of_its_part(sold, changes, field):
    answer = await sold.request("PUT", f"{SITE}/property-currency", key="member", json={**EURO, **changes})

    assert (answer.status_code, list(answer.json["details"]["fieldErrors"])) == (400, [field])


async def test_a_mark_is_removed_and_is_in_the_history(sold):
    for currency in ("EUR", None):
        body = {**EURO, "currency": currency}
        assert (
            await sold.request("PUT", f"{SITE}/property-currency", key="member", json=body)
        ).status_code == 200

    entries = (await sold.request("GET", f"{SITE}/history", key="owner")).json["data"]

    assert [one["changes"] for one in entries if one["type"] == "property-currency-set"] == [
        [{"field": "currencies.order.amount", "from": "EUR", "to": None}],
        [{"field": "currencies.order.amount", "from": None, "to": "EUR"}],
    ]


async def test_a_site_has_a_hundred_marks(sold):
    for number in range(MAX_CURRENCIES):
        await sold.request(
            "PUT", f"{SITE}/property-currency", key="member", json={**EURO, "property": f"p{number}"}
        )

    refused = await sold.request("PUT", f"{SITE}/property-currency", key="member", json=EURO)

    assert (refused.status_code, list(refused.json["details"]["fieldErrors"])) == (400, ["property"])
