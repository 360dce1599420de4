"""Forms of alert rules: from fields to plans and back, with a preview."""

import math
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from footfall.adapters.web.administration.alerts.chart import HEIGHT, WIDTH, PreviewChart
from footfall.adapters.web.administration.alerts.filters import CHOICES as FILTERS
from footfall.adapters.web.administration.alerts.filters import (
    conditions_of,
    typed_filter,
    with_conditions,
    with_meaning,
)
from footfall.adapters.web.reports.typed_filters import TypedFilters
from footfall.adapters.web.session.forms import Form
from footfall.application.alerts.backtest import Backtest
from footfall.application.alerts.services import AlertServices
from footfall.application.citations.answer_states import Answers
from footfall.application.commands.alerts import AlertCommands
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.system import Clock
from footfall.application.reports.report_query import ReportQuery
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertPlan, AlertWindow, alert_plan
from footfall.domain.citations.positions import whole_milliseconds
from footfall.domain.exceptions import Invalid
from footfall.domain.number import identifier
from footfall.domain.periods.report_period import last_30_days
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.filters import ExpressionCompiler

METRICS: Mapping[str, str] = {
    "visitors": "Visitors",
    "sessions": "Sessions",
    "pageviews": "Pageviews",
    "goal_conversions": "Conversions of a goal",
    "goal_rate": "Conversion rate of a goal, in %",
    "errors": "Errors",
    "new_errors": "New or returned errors",
    "lcp": "Largest contentful paint, in ms",
    "events_not_accepted": "Events not accepted",
    "nothing_received": "Nothing received",
}
WINDOWS: Mapping[str, str] = {"fifteen_minutes": "15 minutes", "hour": "Hour", "day": "Day"}
CONDITIONS: Mapping[str, str] = {
    "above": "Above",
    "below": "Below",
    "unusual": "Unusual for this weekday and time",
    "unusually_high": "Unusually high",
    "unusually_low": "Unusually low",
}
CHOICES = {
    "metrics": METRICS,
    "windows": WINDOWS,
    "conditions": CONDITIONS,
    "width": WIDTH,
    "height": HEIGHT,
    **FILTERS,
}


@frozen
class Preview:
    """A backtest with its chart."""

    backtest: Backtest
    chart: PreviewChart
    is_judged: bool


@frozen(kw_only=True)
class AlertForms:
    """Reads plans from forms and previews them."""

    alerts: AlertServices
    commands: AlertCommands
    directory: Directory
    expressions: ExpressionCompiler
    answers: Answers
    clock: Clock

    async def interpreted(self, record: SiteRecord, form: Form) -> Form:
        """Return the form with what its typed filter means among the sessions of the last 30 days.

        Raises:
            Invalid: it can mean several values; the error names `filters`.
            StoreUnavailable: the store does not answer.

        """
        typed = typed_filter(form)
        if typed is None:
            return form
        site, now = record.site, whole_milliseconds(self.clock.now())
        period = last_30_days(now, zone_of(record)).period
        asker = Asker.of(site.organization_id, belongs=True)
        async with self.answers.present(site.site_id, period, now=now, asker=asker) as answer:
            filters = TypedFilters(answer.reports.breakdowns, site.site_id, ReportQuery(period))
            return with_meaning(form, await filters.interpreted(typed))

    def plan(self, form: Form) -> AlertPlan:
        """Return the plan that a form describes.

        Raises:
            Invalid: a part is missing or breaks a rule; the errors name the fields of the form.

        """
        metric, window = form.text("metric"), form.text("window")
        errors: dict[str, list[str]] = {}
        if metric not in list(AlertMetric):
            errors["metric"] = ["must be one of the list"]
        if window not in list(AlertWindow):
            errors["window"] = ["must be one of the list"]
        if errors:
            raise Invalid(errors)
        silence, goal = metric == AlertMetric.NOTHING_RECEIVED, form.text("goalId")
        condition = form.text("condition")
        is_known = condition in list(AlertCondition) and not silence
        return alert_plan(
            name=form.text("name"),
            metric=AlertMetric(metric),
            window=AlertWindow(window),
            condition=AlertCondition(condition) if is_known else None,
            value=None if silence else _number(form.text("value")),
            goal_id=identifier(goal) if AlertMetric(metric).of_goal else None,
            filters=conditions_of(form, self.expressions),
            targets=[number for name in form.values if (number := _target(name)) is not None],
            active=form.is_checked("active"),
        )

    async def preview(self, record: SiteRecord, plan: AlertPlan) -> Preview:
        """Return when a rule would have fired in the last 90 days.

        Raises:
            Invalid, Conflict: the rule cannot be measured.

        """
        await self.commands.check(record.site.site_id, plan)
        backtest = await self.alerts.backtests.run(record, plan)
        is_judged = any(judgement.meets is not None for judgement in backtest.judged)
        annotations = self.directory.annotations(record.site.site_id)
        return Preview(backtest, PreviewChart.of(backtest.judged, backtest.fired, annotations), is_judged)


def form_of(plan: AlertPlan) -> dict[str, Any]:
    """Return the fields of a form that shows a plan."""
    fields = {
        "name": plan.name,
        "metric": plan.metric.value,
        "window": plan.window.value,
        "condition": plan.condition.value,
        "value": f"{plan.value:g}",
        "goalId": "" if plan.goal_id is None else str(plan.goal_id),
        **({"active": "on"} if plan.active else {}),
        **{f"target-{number}": "on" for number in plan.targets},
    }
    return with_conditions(fields, plan.filters)


def zone_of(record: SiteRecord) -> Any:
    """Return the time zone of a site."""
    return parse_zone(record.site.config.time_zone)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _target(name: str) -> int | None:
    return identifier(name[7:]) if name[:7] == "target-" else None
