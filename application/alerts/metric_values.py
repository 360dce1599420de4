"""The values of metrics in windows, from the reports; rules that ask the same share the answer."""

from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.alerts.answer_cache import AnswerCache
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ingestion.results import BESIDE_OUTCOMES
from footfall.application.journal.directory import Directory
from footfall.application.ports.alerts.window_reports import WindowReports
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.errors import ErrorBucketsInquiry
from footfall.application.reports.catalogue.inquiry import Inquiry, figures_of
from footfall.application.reports.catalogue.traffic import TimeseriesInquiry
from footfall.domain.alerts.judged_windows import Window
from footfall.domain.alerts.plan import AlertMetric, AlertWindow
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery

Answer = TypeVar("Answer")

# Outcomes of events that were accepted, or left out as the site is set up.
EXPECTED_OUTCOMES = frozenset({"stored", "replayed", "bot", "excluded", *BESIDE_OUTCOMES})
# The metrics that are a figure of a report over time.
REPORTED: Mapping[AlertMetric, tuple[Callable[..., Inquiry[Any]], str]] = MappingProxyType(
    {
        AlertMetric.VISITORS: (TimeseriesInquiry, "visitors"),
        AlertMetric.SESSIONS: (TimeseriesInquiry, "sessions"),
        AlertMetric.PAGEVIEWS: (TimeseriesInquiry, "pageviews"),
        AlertMetric.NOTHING_RECEIVED: (TimeseriesInquiry, "sessions"),
        AlertMetric.ERRORS: (ErrorBucketsInquiry, "error_count"),
    }
)
# Groups of errors in a period; more are not looked at.
MOST_GROUPS = 5_000


@frozen(kw_only=True)
class AlertMeasure:
    """A measure of a rule: a metric of a site in windows of a length, with filters and goal as reports take them."""

    site_id: int
    metric: AlertMetric
    window: AlertWindow
    zone: ZoneInfo
    filters: tuple[Filter, ...]
    goal: GoalQuery | None

    @property
    def series(self) -> tuple[Any, ...]:
        """The arguments of a report that cuts a period into the windows, but for the period."""
        return self.window.size, self.zone, self.filters


@frozen(kw_only=True)
class MetricValues:
    """Asks reports for the values of metrics."""

    directory: Directory
    reports: ReportSet
    windows: WindowReports
    outcomes: OutcomeCounter

    async def of(
        self, measure: AlertMeasure, run: Sequence[Window], cache: AnswerCache
    ) -> Sequence[float | None]:
        """Return the values of windows without gaps between them, of which a report may have as many.

        Raises:
            GoalSetAside, Invalid: the metric cannot be measured; the message says why.
            StoreUnavailable: the store does not answer.

        """
        period = Period(run[0].period.start, run[-1].period.end)
        shared = _Shared(measure, period, cache)
        match measure.metric:
            case AlertMetric.GOAL_CONVERSIONS:
                return await self._conversions(shared)
            case AlertMetric.GOAL_RATE:
                return await self._rates(shared)
            case AlertMetric.NEW_ERRORS:
                return _counted(await shared.once("new errors", lambda: self._appearances(shared)), run)
            case AlertMetric.LCP:
                return await self._paints(shared)
            case AlertMetric.EVENTS_NOT_ACCEPTED:
                return _counted(await shared.once("refusals", lambda: self._refusals(shared)), run)
            case metric:
                return await self._reported(shared, metric)

    async def _reported(self, shared: "_Shared", metric: AlertMetric) -> Sequence[float | None]:
        report, figure = REPORTED[metric]
        size, zone, filters = shared.measure.series
        inquiry = report(ReportQuery(shared.period, filters), size, zone)
        answer = await shared.once(inquiry, lambda: inquiry.ask(self.reports, shared.site_id))
        return [row[figure] for row in figures_of(inquiry.table(answer), inquiry.keys).values()]

    async def _paints(self, shared: "_Shared") -> Sequence[float | None]:
        size, zone, filters = shared.measure.series
        return await shared.once(
            "paints",
            lambda: self.windows.paints(shared.site_id, ReportQuery(shared.period, filters), size, zone),
        )

    async def _conversions(self, shared: "_Shared") -> Sequence[int]:
        goal = shared.measure.goal
        assert goal is not None  # noqa: S101 - a rule about a goal that is gone is refused before
        size, zone, filters = shared.measure.series
        return await shared.once(
            ("conversions", goal),
            lambda: self.windows.first_conversions(
                shared.site_id, goal, ReportQuery(shared.period, filters), size, zone
            ),
        )

    async def _rates(self, shared: "_Shared") -> Sequence[float | None]:
        counts = await self._conversions(shared)
        sessions = await self._reported(shared, AlertMetric.SESSIONS)
        return [100 * count / all_ if all_ else None for count, all_ in zip(counts, sessions, strict=True)]

    async def _appearances(self, shared: "_Shared") -> Counter[datetime]:
        """Return when errors were first seen, and when resolved ones came back."""
        reports, site_id = self.reports.error_groups, shared.site_id
        former = await reports.former_resolutions(site_id)
        decisions = self.directory.error_decisions(site_id).with_former(former)
        groups = await reports.groups(
            site_id, ReportQuery(shared.period, shared.measure.filters), decisions, Page(1, MOST_GROUPS)
        )
        histories = [summary.history for summary in groups.summaries]
        times = [history.first_seen for history in histories]
        times += [history.regressed_at for history in histories if history.regressed_at is not None]
        return Counter(time for time in times if time in shared.period)

    async def _refusals(self, shared: "_Shared") -> Counter[datetime]:
        start, end = shared.period.start, shared.period.end
        counts = await self.outcomes.by_quarter(shared.site_id, start=start, end=end)
        refused: Counter[datetime] = Counter()
        for (key, quarter), events in counts.items():
            refused[quarter] += 0 if key.outcome in EXPECTED_OUTCOMES else events
        return refused


@frozen
class _Shared:
    """A question of a measure about a period, whose answer other rules may share."""

    measure: AlertMeasure
    period: Period
    cache: AnswerCache

    @property
    def site_id(self) -> int:
        return self.measure.site_id

    async def once(self, kind: Hashable, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        question = kind, self.site_id, self.period, self.measure.series
        return await self.cache.once(question, self.period.end, ask)


def quiet_value(metric: AlertMetric) -> float | None:
    """Return the value of a metric in a window without hits; None for one without a value."""
    return 0 if metric.is_count else None


def _counted(times: Counter[datetime], run: Sequence[Window]) -> list[float]:
    """Return how many of some times lie in each window; `run` has no gaps."""
    edges: Iterable[tuple[datetime, datetime]] = pairwise(
        [run[0].period.start, *(window.period.end for window in run)]
    )
    ordered = sorted(times.items())
    values, index = list[float](), 0
    for _, end in edges:
        total = 0
        while index < len(ordered) and ordered[index][0] < end:
            total += ordered[index][1]
            index += 1
        values.append(total)
    return values
