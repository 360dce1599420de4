"""Alert rules in words, as lists and previews show them."""

from collections.abc import Mapping

from footfall.application.languages.language import marked, spoken, tr
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow

_COUNTED: Mapping[AlertMetric, str] = marked(
    {
        AlertMetric.VISITORS: "visitors",
        AlertMetric.SESSIONS: "sessions",
        AlertMetric.PAGEVIEWS: "pageviews",
        AlertMetric.GOAL_CONVERSIONS: "conversions",
        AlertMetric.ERRORS: "errors",
        AlertMetric.NEW_ERRORS: "new or returned errors",
        AlertMetric.EVENTS_NOT_ACCEPTED: "refused events",
    }
)
_COUNTS: Mapping[AlertCondition, str] = marked(
    {
        AlertCondition.ABOVE: "More than {limit} {counted} in {window}",
        AlertCondition.BELOW: "Fewer than {limit} {counted} in {window}",
        AlertCondition.UNUSUAL: "Unusually many or few {counted} in {window}",
        AlertCondition.UNUSUALLY_HIGH: "Unusually many {counted} in {window}",
        AlertCondition.UNUSUALLY_LOW: "Unusually few {counted} in {window}",
    }
)
_MEASURES: Mapping[AlertCondition, str] = marked(
    {
        AlertCondition.ABOVE: "{measure} above {limit} in {window}",
        AlertCondition.BELOW: "{measure} below {limit} in {window}",
        AlertCondition.UNUSUAL: "{measure} unusually high or low in {window}",
        AlertCondition.UNUSUALLY_HIGH: "{measure} unusually high in {window}",
        AlertCondition.UNUSUALLY_LOW: "{measure} unusually low in {window}",
    }
)
WINDOWS: Mapping[AlertWindow, str] = marked(
    {
        AlertWindow.FIFTEEN_MINUTES: "15 minutes",
        AlertWindow.HOUR: "an hour",
        AlertWindow.DAY: "a day",
    }
)


def number_text(value: float) -> str:
    """Return a number exactly, without an exponent where that is short: 20, 0.5, 1234567."""
    return repr(value).removesuffix(".0")


def plan_sentence(plan: AlertPlan, goals: Mapping[int, str]) -> str:
    """Return what a rule fires at; `goals` has the names of goals by their numbers."""
    window = tr(WINDOWS[plan.window])
    if plan.metric is AlertMetric.NOTHING_RECEIVED:
        return tr("No visits for {window}", window=window)
    if plan.metric.is_count:
        counted = _of_goal(tr(_COUNTED[plan.metric]), plan, goals)
        return tr(_COUNTS[plan.condition], limit=_grouped(plan.value), counted=counted, window=window)
    if plan.metric is AlertMetric.GOAL_RATE:
        limit = spoken().percentage(_grouped(plan.value))
        measure = _of_goal(tr("Conversion rate"), plan, goals)
    else:
        limit, measure = f"{_grouped(plan.value)} ms", tr("Largest contentful paint")
    return tr(_MEASURES[plan.condition], limit=limit, measure=measure, window=window)


def _of_goal(what: str, plan: AlertPlan, goals: Mapping[int, str]) -> str:
    """Return what is measured, with the goal that it is of."""
    if not plan.metric.of_goal:
        return what
    name = goals.get(plan.goal_id or 0)
    return (
        tr("{what} of “{goal}”", what=what, goal=name) if name else tr("{what} of a deleted goal", what=what)
    )


def _grouped(value: float) -> str:
    digits = len(number_text(value).partition(".")[2])
    return spoken().number(value, digits)
