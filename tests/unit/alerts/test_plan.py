"""Plans of alert rules: what is accepted, and which field an error names."""

import pytest

from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.segment import Condition

GOOD = {
    "name": "Quiet",
    "metric": AlertMetric.VISITORS,
    "window": AlertWindow.HOUR,
    "condition": AlertCondition.BELOW,
    "value": 5,
}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"condition": None}, "condition"),
        ({"value": None}, "value"),
        ({"value": -1}, "value"),
        ({"value": 1e308}, "value"),
        ({"value": float("inf")}, "value"),
        ({"value": float("nan")}, "value"),
        ({"value": 0}, "value"),
        ({"condition": AlertCondition.UNUSUAL, "value": 0.5}, "value"),
        ({"condition": AlertCondition.UNUSUAL, "value": 21}, "value"),
        ({"metric": AlertMetric.NEW_ERRORS, "condition": AlertCondition.UNUSUAL}, "condition"),
        ({"metric": AlertMetric.NOTHING_RECEIVED}, "condition"),
        ({"metric": AlertMetric.GOAL_RATE}, "goalId"),
        ({"goal_id": 1}, "goalId"),
        ({"filters": [Condition("goal", "equals", ("1",))]}, "filters[0].parameter"),
        ({"filters": [Condition("exit_page", "equals", ("/",))]}, "filters[0].parameter"),
        ({"filters": [Condition("exit_page_group", "equals", ("A",))]}, "filters[0].parameter"),
        (
            {"metric": AlertMetric.EVENTS_NOT_ACCEPTED, "filters": [Condition("country", "equals", ("DE",))]},
            "filters",
        ),
        ({"targets": range(1, 12)}, "targets"),
    ],
)
def test_a_plan_that_breaks_a_rule_is_refused_by_the_name_of_its_field(changes, field):
    with pytest.raises(Invalid) as refusal:
        alert_plan(**{**GOOD, **changes})

    assert list(refusal.value.field_errors) == [field]


def test_silence_needs_neither_condition_nor_value():
    plan = alert_plan(**{**GOOD, "metric": AlertMetric.NOTHING_RECEIVED, "condition": None, "value": None})

    assert (plan.condition, plan.value) == (AlertCondition.BELOW, 1.0)


def test_a_target_that_is_named_twice_is_told_once():
    assert alert_plan(**GOOD, targets=[2, 1, 2]).targets == (2, 1)


def test_minus_zero_is_zero():
    plan = alert_plan(**{**GOOD, "condition": AlertCondition.ABOVE, "value": -0.0})

    assert str(plan.value) == "0.0"
