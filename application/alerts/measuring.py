"""The values of a metric in windows, from the reports: one question for as many windows as a report may have."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.access.disclosure import Reader
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.interface_names import condition_documents
from footfall.application.ports.alerts.window_reports import WindowReports
from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.errors.error_reports import ErrorReports
from footfall.application.ports.reports.reports import TrafficReports
from footfall.domain.alerts.judging import Judged, Measured, Window, judge, measured_periods, windows_in
from footfall.domain.alerts.plan import AlertMetric, AlertPlan
from footfall.domain.exceptions import Conflict
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import MAX_BUCKETS
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.filters import Filter, parse_filters

# Outcomes of events that were accepted, or left out as the site is set up.
EXPECTED_OUTCOMES = frozenset({"stored", "replayed", "bot", "excluded"})
# Groups of errors in a period; more are not looked at.
MOST_GROUPS = 5_000


class AlertNotMeasurable(Conflict):
    """A rule names something that is not there any more."""


@frozen
class _Question:
    """What is measured: a plan of a site, with its filters and goal as reports take them."""

    site_id: int
    plan: AlertPlan
    zone: ZoneInfo
    filters: tuple[Filter, ...]
    goal: GoalQuery | None


@frozen(kw_only=True)
class AlertMeasures:
    """Measures and judges the windows of rules."""

    directory: Directory
    traffic: TrafficReports
    errors: ErrorReports
    error_groups: ErrorGroupReports
    windows: WindowReports
    outcomes: OutcomeCounter

    async def judged(self, record: SiteRecord, plan: AlertPlan, period: Period) -> list[Judged]:
        """Return the judged windows that lie inside of a period.

        Raises:
            AlertNotMeasurable, GoalSetAside, Invalid: the rule cannot be measured; the message says why.
            StoreUnavailable: the store does not answer.

        """
        question = self._question(record, plan)
        inside = windows_in(period, plan.window, question.zone)
        if not inside:
            return []
        asked = Period(inside[0].period.start, inside[-1].period.end)
        measured: list[Measured] = []
        for part in measured_periods(plan, asked, question.zone):
            windows = windows_in(part, plan.window, question.zone)
            measured += await self._measured(question, windows)
        return judge(plan, measured, asked, since=await self._since(record, plan))

    async def _since(self, record: SiteRecord, plan: AlertPlan) -> datetime | None:
        if plan.metric is AlertMetric.EVENTS_NOT_ACCEPTED:
            # A site whose first events are refused has no hit.
            return quarter_of(record.created_at)
        return await self.traffic.data_since(record.site.site_id)

    def _question(self, record: SiteRecord, plan: AlertPlan) -> _Question:
        site = record.site
        reader = Reader(site.site_id, belongs=True, goals=self.directory.goals_of(site.site_id))
        goal = None if plan.goal_id is None else reader.goal(plan.goal_id)
        if plan.metric.of_goal and goal is None:
            raise AlertNotMeasurable("the goal of this rule was deleted: change the rule")
        filters = reader.permitted(parse_filters(condition_documents(plan.filters)))
        return _Question(site.site_id, plan, parse_zone(site.config.time_zone), filters, goal)

    async def _measured(self, question: _Question, windows: Sequence[Window]) -> list[Measured]:
        measured: list[Measured] = []
        for first in range(0, len(windows), MAX_BUCKETS):
            run = windows[first : first + MAX_BUCKETS]
            period = Period(run[0].period.start, run[-1].period.end)
            values = await self._values(question, period, run)
            measured += [Measured(one, value) for one, value in zip(run, values, strict=True)]
        return measured

    async def _values(
        self, question: _Question, period: Period, run: Sequence[Window]
    ) -> Sequence[float | None]:
        site_id, size, zone, filters = (
            question.site_id,
            question.plan.window.size,
            question.zone,
            question.filters,
        )
        match question.plan.metric:
            case AlertMetric.GOAL_CONVERSIONS | AlertMetric.GOAL_RATE:
                return await self._conversions(question, period)
            case AlertMetric.ERRORS:
                found = await self.errors.buckets(site_id, period, size, zone, filters=filters)
                return [one.count for one in found]
            case AlertMetric.NEW_ERRORS:
                return _counted(await self._appearances(site_id, period), run)
            case AlertMetric.LCP:
                return await self.windows.paints(site_id, period, size, zone, filters)
            case AlertMetric.EVENTS_NOT_ACCEPTED:
                return _counted(await self._refusals(site_id, period), run)
            case metric:
                points = await self.traffic.timeseries(site_id, period, size, zone, filters)
                name = "sessions" if metric is AlertMetric.NOTHING_RECEIVED else metric.value
                return [getattr(one.traffic, name) for one in points]

    async def _conversions(self, question: _Question, period: Period) -> list[float | None]:
        assert question.goal is not None  # noqa: S101 - `_question` has refused a plan without one
        site_id, size, zone, filters = (
            question.site_id,
            question.plan.window.size,
            question.zone,
            question.filters,
        )
        counts = await self.windows.first_conversions(site_id, question.goal, period, size, zone, filters)
        if question.plan.metric is AlertMetric.GOAL_CONVERSIONS:
            return list(counts)
        points = await self.traffic.timeseries(site_id, period, size, zone, filters)
        return [
            100 * count / point.traffic.sessions if point.traffic.sessions else None
            for count, point in zip(counts, points, strict=True)
        ]

    async def _appearances(self, site_id: int, period: Period) -> Counter[datetime]:
        """Return when errors were first seen, and when resolved ones came back."""
        decisions = self.directory.error_decisions(site_id)
        found = await self.error_groups.groups(site_id, period, decisions, Page(1, MOST_GROUPS))
        histories = [one.history for one in found.summaries]
        times = [one.first_seen for one in histories]
        times += [one.regressed_at for one in histories if one.regressed_at is not None]
        return Counter(one for one in times if one in period)

    async def _refusals(self, site_id: int, period: Period) -> Counter[datetime]:
        counts = await self.outcomes.by_quarter(site_id, start=period.start, end=period.end)
        refused: Counter[datetime] = Counter()
        for (key, quarter), events in counts.items():
            refused[quarter] += 0 if key.outcome in EXPECTED_OUTCOMES else events
        return refused


def _counted(times: Counter[datetime], run: Sequence[Window]) -> list[float]:
    """Return how many of some times lie in each window; `run` has no gaps."""
    edges: Iterable[tuple[datetime, datetime]] = pairwise(
        [run[0].period.start, *(one.period.end for one in run)]
    )
    ordered = sorted(times.items())
    values, place = list[float](), 0
    for _, end in edges:
        total = 0
        while place < len(ordered) and ordered[place][0] < end:
            total += ordered[place][1]
            place += 1
        values.append(total)
    return values
