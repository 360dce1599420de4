"""Reports in memory: the functions of the domain over the whole log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.reports.reports import Lag, MatchedSessions
from footfall.domain.cohorts.cohorts import CohortCount, CohortPlan, cohort_counts
from footfall.domain.funnel_reports.funnel_change import FunnelChange, WhatIf, what_if
from footfall.domain.funnel_reports.funnel_report import StepProgress, funnel_progress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport, journeys
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.revenue.revenue import Revenue, RevenuePlan, revenue
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.conversion import Conversions, converted_sessions, count_conversions
from footfall.domain.traffic.exclusion_what_if import Exclusion, Refusals, refused_hits
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors, recent_visitors
from footfall.domain.traffic.overview import Traffic, TrafficPoint, data_since, imported, overview, timeseries
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import Session, session_with
from footfall.domain.visits.session_list import SessionsQuery, listed_sessions
from footfall.domain.visits.trail import Trail, TrailPart, trail


@frozen
class MemoryReports:
    """The reports on goals, traffic, cohorts, revenue, sessions, funnels, journeys and what-ifs, and Freshness.

    They are made from a traffic log in memory, and always up to date.
    """

    _log: MemoryTrafficLog

    async def catch_up(self, _site_id: int) -> int:
        """Return at once: nothing is missing."""
        return 0

    async def lag(self, _site_id: int | None = None) -> Lag:
        """Return no lag."""
        return Lag(0, 0.0)

    async def count_conversions(
        self, site_id: int, goals: Sequence[GoalQuery], query: ReportQuery
    ) -> list[Conversions]:
        """Return the conversions of each rule, in the order of the goals."""
        return count_conversions(
            [goal.rule for goal in goals], self._log.hits_of(site_id), query.period, query.filters
        )

    async def converted_sessions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> MatchedSessions:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        sessions = converted_sessions(
            goal.rule, self._log.hits_of(site_id), query.period, query.filters, choice=choice
        )
        return MatchedSessions(page.of(sessions), len(sessions))

    async def are_counted(self, site_id: int, goals: Sequence[GoalQuery], period: Period) -> bool:  # noqa: ARG002
        """Whether conversions cost little: nothing else does in memory."""
        return True

    async def set_aside(self, site_id: int) -> Mapping[int, str]:  # noqa: ARG002 - the port's
        """Return none: every goal is counted."""
        return {}

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` of all hits of the site."""
        return data_since(self._log.hits_of(site_id))

    async def imported(self, site_id: int) -> Sequence[Period]:
        """Return `imported` of all imports together, which memory does not tell apart."""
        span = imported(
            recorded for recorded in self._log.hits_of(site_id) if recorded.position in self._log.imported
        )
        return [] if span is None else [span]

    async def overview(self, site_id: int, query: ReportQuery) -> Traffic:
        """Return the traffic of the period."""
        return overview(self._log.hits_of(site_id), query.period, query.filters)

    async def overviews(
        self, site_id: int, periods: Sequence[Period], filters: Sequence[Filter] = ()
    ) -> list[Traffic]:
        """Return the traffic of each period."""
        return [await self.overview(site_id, ReportQuery(period, filters)) for period in periods]

    async def count_sessions(self, site_id: int, query: ReportQuery) -> int:
        """Return the number of the selected sessions."""
        return len(select_visits(self._log.hits_of(site_id), query.period, query.filters))

    async def timeseries(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[TrafficPoint]:
        """Return the traffic of each bucket of the period."""
        return timeseries(self._log.hits_of(site_id), query.period, size, zone, query.filters)

    async def counts(
        self, site_id: int, plan: CohortPlan, filters: Sequence[Filter] = ()
    ) -> list[CohortCount]:
        """Return the visitors of each cohort, and how many of them came back."""
        return cohort_counts(plan, self._log.hits_of(site_id), filters)

    async def by_source(
        self, site_id: int, plan: RevenuePlan, page: Page, filters: Sequence[Filter] = ()
    ) -> Revenue:
        """Return the money by a page of the values of the attribute."""
        return revenue(plan, self._log.hits_of(site_id), page, filters)

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return the sessions of a list."""
        return listed_sessions(self._log.hits_of(site_id), query)

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return the session that holds a hit."""
        return session_with(self._log.hits_of(site_id), position)

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return a part of the trail of a session."""
        return trail(self._log.hits_of(site_id), session_id, part)

    async def progress(self, site_id: int, steps: FunnelSteps, query: ReportQuery) -> list[StepProgress]:
        """Return the progress at each step."""
        return funnel_progress(steps, self._log.hits_of(site_id), query.period, query.filters)

    async def journeys(self, site_id: int, query: JourneyQuery, asked: ReportQuery) -> JourneyReport:
        """Return the journeys of a period."""
        return journeys(query, self._log.hits_of(site_id), asked.period, asked.filters)

    async def compare(
        self, site_id: int, change: FunnelChange, query: ReportQuery, days: Sequence[Period]
    ) -> WhatIf:
        """Return what a change would do."""
        return what_if(change, self._log.hits_of(site_id), query.period, days, query.filters)

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused."""
        return refused_hits(exclusion, self._log.hits_of(site_id), period, days)


@frozen
class MemoryAllSites:
    """AllSitesReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def recent_visitors(
        self, site_ids: Sequence[int], days: RecentDays
    ) -> Mapping[int, RecentVisitors]:
        """Return the visitors of each site."""
        return {site_id: recent_visitors(self._log.hits_of(site_id), days) for site_id in site_ids}

    async def selected_visitors(
        self, site_id: int, days: RecentDays, filters: Sequence[Filter]
    ) -> RecentVisitors:
        """Return the visitors of a site in the sessions that filters select."""
        return recent_visitors(self._log.hits_of(site_id), days, filters)

    async def with_hits(self, periods: Mapping[int, Period]) -> frozenset[int]:
        """Return the sites with hits in their periods."""
        hits = (recorded.hit for recorded in self._log.hits)
        return frozenset(hit.site_id for hit in hits if hit.occurred_at in periods.get(hit.site_id, ()))
