"""Revenue by source, as the domain defines it."""

from decimal import Decimal

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import (
    Model,
    RevenuePlan,
    parse_lookback,
    parse_models,
    parse_revenue_dimension,
    revenue,
)
from footfall.domain.traffic.filters import excluding
from tests.conditions import filter_of
from tests.histories import after, days, event, hit, record

PERIOD = days("2026-03-28", "2026-04-30")
EVERY = tuple(Model)
ORDERS = GoalQuery(EventRule("order"))


def by_model(log, *, period=PERIOD, lookback=30, by="channel", filters=()):
    """Return the money of each value by the models first, last and last that was not direct."""
    plan = RevenuePlan(ORDERS, "amount", period, by, EVERY, lookback)
    found = revenue(plan, log, Page(1, 50), filters)
    return {
        model: {row.value: row.sums[number].sum for row in found.rows if row.sums[number].count}
        for number, model in enumerate(EVERY)
    }


def order(at, amount=10, **known):
    return event("order", at, properties={"amount": amount}, **{"channel": "Direct", **known})


def visits(*channels):
    """Return a visit of each channel, a day apart."""
    return [hit(after(days=number), channel=channel) for number, channel in enumerate(channels)]


def test_a_conversion_is_given_to_the_first_the_last_or_the_last_visit_that_was_not_direct():
    log = record(*visits("Email", "Paid Search", "Direct"), order(after(days=3)))

    assert by_model(log) == {
        Model.FIRST: {"Email": 10},
        Model.LAST: {"Direct": 10},
        Model.LAST_NOT_DIRECT: {"Paid Search": 10},
    }


def test_visits_of_direct_and_unknown_channels_are_the_last_resort():
    log = record(*visits("Direct", None), order(after(days=3), channel=None))

    assert by_model(log)[Model.LAST_NOT_DIRECT] == {"": 10}
    assert by_model(log)[Model.FIRST] == {"Direct": 10}


def test_visits_before_the_days_that_count_are_left_out_and_those_before_the_period_are_not():
    log = record(*visits("Email"), order(after(days=2), channel="Direct"))
    april = days("2026-03-30", "2026-04-30")

    assert by_model(log, period=april, lookback=2)[Model.FIRST] == {"Email": 10}
    assert by_model(log, period=april, lookback=1)[Model.FIRST] == {"Direct": 10}


def test_visits_after_a_conversion_do_not_count():
    log = record(order(after(days=1), channel="Email"), hit(after(days=2), channel="Paid Search"))

    assert by_model(log)[Model.LAST] == {"Email": 10}


def test_each_event_with_a_number_counts():
    log = record(
        order(after(days=1), "19.99", channel="Email"),
        order(after(days=1, minutes=1), 0.01, channel="Email"),
        order(after(days=1, minutes=2), "free", channel="Email"),
        event("order", after(days=1, minutes=3), channel="Email"),
        event("signup", after(days=1, minutes=4), properties={"amount": 7}),
    )

    plan = RevenuePlan(ORDERS, "amount", PERIOD, "channel", (Model.LAST,))
    found = revenue(plan, log, Page(1, 50))

    assert (found.total.count, found.total.sum, found.signed) == (2, Decimal(20), 0)


def test_without_money_each_hit_of_the_goal_counts():
    log = record(
        hit(channel="Email"),
        hit(after(days=1), pathname="/thanks", channel="Direct"),
        hit(after(days=1, minutes=1), pathname="/thanks", channel="Direct"),
    )

    plan = RevenuePlan(GoalQuery(PathRule("/thanks")), None, PERIOD, "channel", (Model.FIRST,))
    found = revenue(plan, log, Page(1, 50))

    assert [(row.value, row.sums[0].count, row.sums[0].sum) for row in found.rows] == [("Email", 2, 0)]


def test_a_signed_user_is_followed_over_browsers():
    signed = {"user_id": "u", "signed_visitor_id": 7}
    log = record(
        hit(channel="Email", **signed), order(after(days=1), visitor_id=2, channel="Direct", **signed)
    )

    plan = RevenuePlan(ORDERS, "amount", PERIOD, "channel", (Model.FIRST,))
    found = revenue(plan, log, Page(1, 50))

    assert (found.rows[0].value, found.signed) == ("Email", 1)


def test_filters_choose_conversions_and_exclusion_rules_leave_visits_out():
    log = record(
        hit(channel="Email", country="NP"),
        hit(after(days=1), channel="Affiliate", country="FR"),
        order(after(days=2), country="DE"),
    )
    rules = excluding([[filter_of("country", "equals", "NP")]])

    assert by_model(log, filters=[filter_of("country", "equals", "DE")])[Model.FIRST] == {"Email": 10}
    assert by_model(log, filters=[filter_of("country", "equals", "NP")])[Model.FIRST] == {}
    assert by_model(log, filters=[rules])[Model.FIRST] == {"Affiliate": 10}


def test_values_are_in_the_order_of_their_money_by_the_first_model():
    log = record(
        order(after(), 5, channel="A"),
        order(after(), 7, visitor_id=2, channel="B"),
        order(after(), 5, visitor_id=3, channel="C"),
    )
    plan = RevenuePlan(ORDERS, "amount", PERIOD, "channel", (Model.LAST,))

    assert [row.value for row in revenue(plan, log, Page(1, 50)).rows] == ["B", "A", "C"]
    second = revenue(plan, log, Page(2, 2))
    assert ([row.value for row in second.rows], second.values, second.total.sum) == (["C"], 3, 17)


def test_what_is_asked_has_defaults():
    assert parse_revenue_dimension(None) == "channel"
    assert parse_models(None, None) == (Model.LAST_NOT_DIRECT,)
    assert parse_models("first", "last") == (Model.FIRST, Model.LAST)
    assert parse_lookback(None) == 30
    assert (parse_lookback("1"), parse_lookback("90")) == (1, 90)


@pytest.mark.parametrize(
    ("parse", "texts", "field"),
    [
        (parse_revenue_dimension, ["browser"], "by"),
        (parse_revenue_dimension, [""], "by"),
        (parse_models, ["linear", None], "model"),
        (parse_models, ["", None], "model"),
        (parse_models, ["first", "position"], "compare_model"),
        (parse_lookback, ["0"], "lookback"),
        (parse_lookback, ["91"], "lookback"),
        (parse_lookback, ["x"], "lookback"),
    ],
)
def test_other_texts_are_refused_by_the_names_of_their_parameters(parse, texts, field):
    with pytest.raises(Invalid) as refused:
        parse(*texts)
    assert list(refused.value.field_errors) == [field]
