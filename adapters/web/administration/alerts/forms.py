"""Forms of alert rules: from fields to plans and back, with a preview."""

import math
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from footfall.adapters.web.administration.alerts.chart import HEIGHT, WIDTH, PreviewChart
from footfall.adapters.web.administration.alerts.sentences import WINDOWS, plan_sentence
from footfall.adapters.web.administration.alerts.topics import TOPICS, Topic, fields_of, topic_of
from footfall.adapters.web.administration.condition_fields import (
    ADD,
    choices_without,
    filters_in,
    kept_filters,
    with_conditions,
)
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Form
from footfall.application.alerts.backtest import Backtest
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_documents import conditions_of
from footfall.application.languages.language import marked, tr
from footfall.domain.alerts.plan import (
    UNSETTLED_PARAMETERS,
    AlertCondition,
    AlertMetric,
    AlertPlan,
    AlertWindow,
    alert_plan,
)
from footfall.domain.exceptions import renaming, require_valid
from footfall.domain.number import identifier
from footfall.domain.traffic.filters import GROUP_PARAMETERS

METRICS: Mapping[str, str] = marked(
    {
        "visitors": "Visitors",
        "sessions": "Sessions",
        "pageviews": "Pageviews",
        "goal_conversions": "Conversions of a goal",
        "goal_rate": "Conversion rate of a goal, in %",
        "errors": "Errors",
        "new_errors": "New or returned errors",
        "lcp": "Largest contentful paint, in ms",
        "events_not_accepted": "Events not accepted",
    }
)
CONDITIONS: Mapping[str, str] = marked(
    {
        "above": "above a limit",
        "below": "below a limit",
        "unusual": "unusual for the weekday and time, high or low",
        "unusually_high": "unusually high for the weekday and time",
        "unusually_low": "unusually low for the weekday and time",
    }
)
# Numbers of deviations; a rule that was made in another way can have others.
SENSITIVITIES: Mapping[str, str] = marked(
    {
        "2": "Small changes, too (2)",
        "3": "Clear changes (3)",
        "4": "Large changes (4)",
        "6": "Very large changes (6)",
        "10": "Extreme changes only (10)",
    }
)
CHOICES = {
    "topics": TOPICS,
    "width": WIDTH,
    "height": HEIGHT,
    **choices_without(UNSETTLED_PARAMETERS),
}
# The choices of a site that has no groups of pages.
_WITHOUT_GROUPS = choices_without(UNSETTLED_PARAMETERS | GROUP_PARAMETERS.keys())


# A form with this field means a rule without a target.
UNTOLD = "untold"


@frozen
class Preview:
    """The backtest of a plan, with its chart if any window could be judged, and the plan in words."""

    plan: AlertPlan
    sentence: str
    backtest: Backtest
    chart: PreviewChart | None


@frozen
class AlertForms(DashboardPage):
    """A page with the form of a rule: reads its plan and previews it."""

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
        require_valid(errors)
        silence, goal = metric == AlertMetric.NOTHING_RECEIVED, form.text("goalId")
        chosen = form.text("condition")
        condition = AlertCondition(chosen) if chosen in list(AlertCondition) and not silence else None
        # The number of deviations and the limit have a field each.
        field = "deviations" if condition is not None and condition.is_relative else "value"
        with renaming({"value": field}):
            return alert_plan(
                name=form.text("name"),
                metric=AlertMetric(metric),
                window=AlertWindow(window),
                condition=condition,
                value=None if silence else _number(form.text(field)),
                goal_id=identifier(goal) if AlertMetric(metric).of_goal else None,
                filters=conditions_of(filters_in(form, self._services.expressions)),
                targets=[number for name in form.values if (number := _target(name)) is not None],
                active=form.is_checked("active"),
            )

    async def shown_again(
        self, record: SiteRecord, form: Form, *, needs_target: bool = True
    ) -> dict[str, Any] | None:
        """Return what the page shows of a form that only adds a filter, or previews its rule; None for one to save.

        One that `needs_target` is shown again, too, if it has none and does not say that this is meant.

        Raises:
            Invalid, Conflict: the rule is not accepted, or cannot be measured.

        """
        if form.text("action") == ADD:
            conditions = conditions_of(filters_in(form, self._services.expressions))
            return {"form": with_conditions(form.values, conditions)}
        plan = self.plan(form)
        fields = with_conditions(form.values, plan.filters)
        if form.text("action") == "preview":
            return {"form": fields, "preview": await self.preview(record, plan)}
        if not needs_target or plan.targets or form.is_checked(UNTOLD):
            return None
        await self._services.commands.alerts.check(record.site.site_id, plan)
        return {"form": fields, "is_untold": True}

    def shown(self, record: SiteRecord, form: Mapping[str, str] | None) -> dict[str, Any]:
        """Return what pages with a form show; without one, what a rule can tell of."""
        site_id = record.site.site_id
        targets = self._services.directory.alerts(site_id).targets
        goals = {
            str(record.goal.goal_id): record.goal.name
            for record in self._services.directory.goals_of(site_id)
        }
        topic = None if form is None else topic_of(form)
        return {
            "form": form or {},
            "topic": topic,
            "choices": {} if form is None or topic is None else _choices(topic, form, goals),
            "filters": kept_filters(form or {}),
            "targets": [targets[number] for number in sorted(targets)],
            "goals": goals,
            "zone": record.site.zone,
            "done": None,
            "preview": None,
            "is_untold": False,
            **CHOICES,
            **({} if record.site.page_groups.rules else _WITHOUT_GROUPS),
        }

    def sentence(self, site_id: int, plan: AlertPlan) -> str:
        """Return what a rule fires at, in words."""
        goals = self._services.directory.goals_of(site_id)
        return plan_sentence(plan, {record.goal.goal_id: record.goal.name for record in goals})

    async def preview(self, record: SiteRecord, plan: AlertPlan) -> Preview:
        """Return when a rule would have fired in the last 90 days.

        Raises:
            Invalid, Conflict: the rule cannot be measured.

        """
        await self._services.commands.alerts.check(record.site.site_id, plan)
        backtest = await self._services.alerts.backtests.run(record, plan)
        chart = None
        if any(judgement.meets is not None for judgement in backtest.judged):
            annotations = self._services.directory.annotations(record.site.site_id)
            chart = PreviewChart.of(plan, backtest.judged, backtest.fired, annotations, record.site.zone)
        return Preview(plan, self.sentence(record.site.site_id, plan), backtest, chart)


def form_of(plan: AlertPlan, topic: str | None = None) -> dict[str, Any]:
    """Return the fields of a form that shows a plan, as a rule of a topic if one is named."""
    fields = {
        **fields_of(plan, topic),
        "name": plan.name,
        "window": plan.window.value,
        "goalId": "" if plan.goal_id is None else str(plan.goal_id),
        **({"active": "on"} if plan.active else {}),
        **{f"target-{number}": "on" for number in plan.targets},
    }
    return with_conditions(fields, plan.filters)


def _choices(topic: Topic, form: Mapping[str, str], goals: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
    """Return the labels of what the fields of a form choose from, by the values."""
    chosen = form.get("deviations", "")
    other = (
        {}
        if chosen in SENSITIVITIES or not chosen
        else {chosen: tr("As it is set ({number})", number=chosen)}
    )
    metrics = [
        metric for metric in topic.metrics if goals or not metric.of_goal or form.get("metric") == metric
    ]
    return {
        "metric": {
            metric.value: tr(METRICS[metric]) for metric in metrics or topic.metrics if metric in METRICS
        },
        "goalId": {"": "\N{EN DASH}", **goals},
        "condition": {condition.value: tr(CONDITIONS[condition]) for condition in topic.conditions},
        "deviations": {**other, **{number: tr(text) for number, text in SENSITIVITIES.items()}},
        "window": {window.value: tr(text) for window, text in WINDOWS.items()},
    }


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _target(name: str) -> int | None:
    return identifier(name[7:]) if name[:7] == "target-" else None
