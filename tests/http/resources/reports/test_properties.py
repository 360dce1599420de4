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
