"""Alert rules in words, as lists and previews show them."""

from collections.abc import Mapping

from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow

_COUNTED: Mapping[AlertMetric, str] = {
    AlertMetric.VISITORS: "visitors",
    AlertMetric.SESSIONS: "sessions",
    AlertMetric.PAGEVIEWS: "pageviews",
    AlertMetric.GOAL_CONVERSIONS: "conversions",
    AlertMetric.ERRORS: "errors",
    AlertMetric.NEW_ERRORS: "new or returned errors",
    AlertMetric.EVENTS_NOT_ACCEPTED: "refused events",
}
_COUNTS: Mapping[AlertCondition, str] = {
    AlertCondition.ABOVE: "More than {} {}",
    AlertCondition.BELOW: "Fewer than {} {}",
    AlertCondition.UNUSUAL: "Unusually many or few {1}",
    AlertCondition.UNUSUALLY_HIGH: "Unusually many {1}",
    AlertCondition.UNUSUALLY_LOW: "Unusually few {1}",
}
_MEASURES: Mapping[AlertCondition, str] = {
    AlertCondition.ABOVE: "{1} above {0}",
    AlertCondition.BELOW: "{1} below {0}",
    AlertCondition.UNUSUAL: "{1} unusually high or low",
    AlertCondition.UNUSUALLY_HIGH: "{1} unusually high",
    AlertCondition.UNUSUALLY_LOW: "{1} unusually low",
}
WINDOWS: Mapping[AlertWindow, str] = {
    AlertWindow.FIFTEEN_MINUTES: "15 minutes",
    AlertWindow.HOUR: "an hour",
    AlertWindow.DAY: "a day",
}


def number_text(value: float) -> str:
    """Return a number exactly, without an exponent where that is short: 20, 0.5, 1234567."""
    return repr(value).removesuffix(".0")


def plan_sentence(plan: AlertPlan, goals: Mapping[int, str]) -> str:
    """Return what a rule fires at; `goals` has the names of goals by their numbers."""
    over = WINDOWS[plan.window]
    if plan.metric is AlertMetric.NOTHING_RECEIVED:
        return f"No visits for {over}"
    name = goals.get(plan.goal_id or 0)
    of_goal = f" of “{name}”" if name else " of a deleted goal" if plan.metric.of_goal else ""
    if plan.metric.is_count:
        return f"{_COUNTS[plan.condition].format(_grouped(plan.value), _COUNTED[plan.metric] + of_goal)} in {over}"
    is_rate = plan.metric is AlertMetric.GOAL_RATE
    limit = f"{_grouped(plan.value)}{'%' if is_rate else ' ms'}"
    measure = f"Conversion rate{of_goal}" if is_rate else "Largest contentful paint"
    return f"{_MEASURES[plan.condition].format(limit, measure)} in {over}"


def _grouped(value: float) -> str:
    return f"{value:,}".removesuffix(".0")
