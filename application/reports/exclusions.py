"""What the exclusion rules of a site leave out, and what a rule would (docs/read/standing-exclusions.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import define, field, frozen

from footfall.application.ports.reports.reports import TrafficReports
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.ports.system import Clock
from footfall.application.reports.what_if_query import WhatIfQuery
from footfall.domain.citations.positions import Positions
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SessionsQuery

EXAMPLES = 20
COUNTS_KEPT = timedelta(seconds=5)
MOST_COUNTS = 256
_LARGEST = Page(1, 20)


@frozen(kw_only=True)
class ExclusionEffect:
    """The sessions that a rule would leave out, and all that there are without it, in a period and on each of its days.

    Sessions that other rules leave out are none of both. `countries` and `sources`, which are channels, count the
    sessions that would go, the largest numbers first, and `examples` are the latest ones.
    """

    sessions: int
    of: int
    days: Sequence[tuple[int, int]]
    countries: Sequence[BreakdownRow]
    sources: Sequence[BreakdownRow]
    examples: Sequence[Session]


# What is asked about a state: its site, its positions, the period, and the filter by the standing exclusions.
_Question = tuple[int, int, int, str, Period, tuple[Filter, ...]]


@define
class ExcludedCounts:
    """Numbers of sessions that are left out: reports that are asked of one state count them once.

    An erasure changes a state without another position, so that a number is kept for some seconds only.
    """

    _clock: Clock
    _counts: dict[_Question, tuple[datetime, int]] = field(factory=dict, init=False)

    async def of(
        self, state: Positions, period: Period, exclusion: tuple[Filter, ...], traffic: TrafficReports
    ) -> int:
        """Return what `count_excluded` returns of a state.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        if not exclusion:
            return 0
        question = (state.site_id, state.journal, state.traffic, state.log, period, exclusion)
        until, count = self._counts.get(question, (None, 0))
        if until is None or until < self._clock.now():
            count = await count_excluded(traffic, state.site_id, period, exclusion)
            self._counts.pop(question, None)
            self._counts[question] = (self._clock.now() + COUNTS_KEPT, count)
            while len(self._counts) > MOST_COUNTS:
                self._counts.pop(next(iter(self._counts)))
        return count


async def count_excluded(
    traffic: TrafficReports, site_id: int, period: Period, exclusion: Sequence[Filter]
) -> int:
    """Return how many sessions of a period the filter by the standing exclusions leaves out.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    if not exclusion:
        return 0
    everything = await traffic.count_sessions(site_id, ReportQuery(period))
    return everything - await traffic.count_sessions(site_id, ReportQuery(period, exclusion))


async def left_out(
    reports: ReportSet, site_id: int, rule: Sequence[Filter], query: WhatIfQuery, zone: ZoneInfo
) -> ExclusionEffect:
    """Return what a rule would leave out; the filters of the query are those of the other rules.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    period, others, chosen = query.period, query.filters, [*query.filters, *rule]
    traffic, breakdowns = reports.traffic, reports.breakdowns
    countries = await breakdowns.break_down(site_id, "country", ReportQuery(period, chosen), _LARGEST)
    sources = await breakdowns.break_down(site_id, "channel", ReportQuery(period, chosen), _LARGEST)
    by_day = [
        [
            point.traffic.sessions
            for point in await traffic.timeseries(site_id, ReportQuery(period, filters), BucketSize.DAY, zone)
        ]
        for filters in (chosen, others)
    ]
    return ExclusionEffect(
        sessions=await traffic.count_sessions(site_id, ReportQuery(period, chosen)),
        of=await traffic.count_sessions(site_id, ReportQuery(period, others)),
        days=list(zip(*by_day, strict=True)),
        countries=countries.rows,
        sources=sources.rows,
        examples=await reports.sessions.listed(
            site_id, SessionsQuery(period=period, filters=chosen, most=EXAMPLES)
        ),
    )
