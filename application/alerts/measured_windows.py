"""Judged windows of rules: those of a long period for the backtest, and those of a short one as time passes."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.access.readers import Reader
from footfall.application.alerts.answer_cache import AnswerCache
from footfall.application.alerts.metric_values import AlertMeasure, MetricValues, quiet_value
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_documents import condition_documents
from footfall.application.ports.reports.reports import TrafficReports
from footfall.domain.alerts.judged_windows import (
    Bounds,
    Judged,
    Measured,
    Window,
    bounds_of,
    earlier_periods,
    judge,
    measured_periods,
    stretch_around,
    values_by_wall,
    windows_in,
    with_values_since,
)
from footfall.domain.alerts.plan import AlertPlan, AlertWindow
from footfall.domain.exceptions import Conflict
from footfall.domain.periods.buckets import MAX_BUCKETS
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.traffic.filters import ExpressionCompiler, parse_filters

# Values of earlier weeks are kept until the windows that they are for have settled.
KEPT_AFTER = timedelta(hours=1)
# The time of the first hit of a site changes when old hits are imported or deleted.
SINCE_KEPT = timedelta(hours=1)


class AlertNotMeasurable(Conflict):
    """A rule names something that is not there any more."""


@frozen(kw_only=True)
class Round:
    """One evaluation of many rules: what they share, and the sites without hits since their rules were last judged."""

    now: datetime
    cache: AnswerCache
    quiet_sites: frozenset[int] = frozenset()


@frozen(kw_only=True)
class AlertMeasures:
    """Measures and judges the windows of rules."""

    directory: Directory
    traffic: TrafficReports
    values: MetricValues
    expressions: ExpressionCompiler

    async def judged(
        self, record: SiteRecord, plan: AlertPlan, period: Period, *, since: datetime | None
    ) -> list[Judged]:
        """Return the judged windows that lie inside of a period, from few long series.

        `since` is what the method of this name returns.

        Raises:
            AlertNotMeasurable, GoalSetAside, Invalid: the rule cannot be measured; the message says why.
            StoreUnavailable: the store does not answer.

        """
        measure, cache = self._measure(record, plan), AnswerCache()
        inside = windows_in(period, plan.window, measure.zone)
        if not inside:
            return []
        whole = Period(inside[0].period.start, inside[-1].period.end)
        measured: list[Measured] = []
        for part in measured_periods(plan, whole, measure.zone):
            measured += await self._measured(measure, windows_in(part, plan.window, measure.zone), cache)
        return judge(plan, measured, whole, since=since)

    async def judged_now(
        self, record: SiteRecord, plan: AlertPlan, period: Period, one_round: Round
    ) -> list[Judged]:
        """Return the judged windows that lie inside of a period, as `judged` does, with answers that rules share.

        Raises:
            AlertNotMeasurable, GoalSetAside, Invalid: the rule cannot be measured; the message says why.
            StoreUnavailable: the store does not answer.

        """
        measure = self._measure(record, plan)
        inside = recent_windows(period, plan.window, measure.zone)
        if not inside:
            return []
        if record.site.site_id in one_round.quiet_sites and not plan.metric.of_arrivals:
            measured = [Measured(window, quiet_value(plan.metric)) for window in inside]
        else:
            measured = await self._measured(measure, inside, one_round.cache)
        since = await self._kept_since(record, plan, one_round)
        bounds = await self._bounds(measure, plan, inside, since, one_round)
        samples = with_values_since(measured, since)
        return [Judged(sample.window, sample.value, bounds[sample.window.wall]) for sample in samples]

    async def _bounds(
        self,
        measure: AlertMeasure,
        plan: AlertPlan,
        inside: Sequence[Window],
        since: datetime | None,
        one_round: Round,
    ) -> Mapping[datetime, Bounds | None]:
        """Return the bounds of windows by their wall times; those from earlier weeks are kept for a whole stretch."""
        if not plan.condition.is_relative:
            return {window.wall: bounds_of(plan, window, {}) for window in inside}
        whole = Period(inside[0].period.start, inside[-1].period.end)
        stretch = stretch_around(whole, measure.zone)

        async def ask() -> Mapping[datetime, Bounds | None]:
            measured: list[Measured] = []
            for part in earlier_periods(plan, stretch, measure.zone):
                windows = recent_windows(part, plan.window, measure.zone)
                measured += await self._measured(measure, windows, one_round.cache)
            by_wall = values_by_wall(with_values_since(measured, since))
            windows = recent_windows(stretch, plan.window, measure.zone)
            return {window.wall: bounds_of(plan, window, by_wall) for window in windows}

        question = "bounds", measure, plan.condition, plan.value, stretch
        return await one_round.cache.once(question, stretch.end + KEPT_AFTER, ask)

    async def _kept_since(self, record: SiteRecord, plan: AlertPlan, one_round: Round) -> datetime | None:
        question = "since", record.site.site_id, plan.metric.of_arrivals
        until = one_round.now + SINCE_KEPT
        since = await one_round.cache.once(question, until, lambda: self.since(record, plan))
        if since is None:
            # The first hit can come at any time.
            one_round.cache.drop(question)
        return since

    async def since(self, record: SiteRecord, plan: AlertPlan) -> datetime | None:
        """Return the time before which windows have no value: that of the first hit of the site; None without hits.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        if plan.metric.of_arrivals:
            # A site whose first events are refused has no hit.
            return quarter_of(record.created_at)
        since = await self.traffic.data_since(record.site.site_id)
        return None if since is None else quarter_of(since)

    def _measure(self, record: SiteRecord, plan: AlertPlan) -> AlertMeasure:
        site = record.site
        goals = self.directory.goals_of(site.site_id)
        reader = Reader(
            site.site_id,
            belongs=True,
            goals=goals,
            expressions=self.expressions,
            exclusions=site.exclusions,
            page_groups=site.page_groups,
        )
        goal = None if plan.goal_id is None else reader.goal(plan.goal_id)
        if plan.metric.of_goal and goal is None:
            raise AlertNotMeasurable("the goal of this rule was deleted: change the rule")
        if goal is not None and goal.version is None:
            raise AlertNotMeasurable("alerts do not count goals by a group of pages: take one by a path")
        exclusion = reader.exclusion() if plan.metric.follows_exclusions else ()
        return AlertMeasure(
            site_id=site.site_id,
            metric=plan.metric,
            window=plan.window,
            zone=site.zone,
            filters=reader.permitted(parse_filters(condition_documents(plan.filters))) + exclusion,
            goal=goal,
        )

    async def _measured(
        self, measure: AlertMeasure, windows: Sequence[Window], cache: AnswerCache
    ) -> list[Measured]:
        measured: list[Measured] = []
        for first in range(0, len(windows), MAX_BUCKETS):
            run = windows[first : first + MAX_BUCKETS]
            values = await self.values.of(measure, run, cache)
            measured += [Measured(window, value) for window, value in zip(run, values, strict=True)]
        return measured


# Rules of a round ask about the same few periods.
@lru_cache(maxsize=512)
def recent_windows(period: Period, window: AlertWindow, zone: ZoneInfo) -> tuple[Window, ...]:
    """Return `windows_in` of a short period."""
    return tuple(windows_in(period, window, zone))
