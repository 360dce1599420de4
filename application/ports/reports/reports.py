"""Ports of reports; the functions of the domain define the results."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.citations.changes import Origin
from footfall.domain.cohorts.cohorts import CohortCount, CohortPlan
from footfall.domain.funnel_reports.funnel_report import StepProgress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.revenue.revenue import Revenue, RevenuePlan
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import Session


@frozen
class MatchedSessions:
    """A page of the sessions that satisfied a rule, and the number of such sessions on all pages."""

    sessions: Sequence[Session]
    total: int


@frozen
class Lag:
    """The distance of the read models behind the traffic log."""

    events: int
    seconds: float


class Freshness(Protocol):
    """Brings the read models up to date.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def catch_up(self, site_id: int) -> int:
        """Return when the reports of a site contain every hit that was stored before this call, or after a second.

        They then count the goals that were stored before, too, unless much of their past is still to be counted.

        Returns the number of missing events of this and other sites; 0 when the reports are complete.
        """

    async def lag(self, site_id: int | None = None) -> Lag:
        """Return how far the reports of a site are behind; without one, those of all sites that answer."""


class StoredConversions(Protocol):
    """Conversions of the goals of one site that the store counts in advance, without filters.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def counted(
        self, site_id: int, goals: Sequence[GoalQuery], period: Period
    ) -> Mapping[int, Conversions]:
        """Return the conversions of the goals that are counted for such a period, by the index of the goal.

        A goal that the store has set aside has no conversions and the reason.
        """

    async def sessions(
        self, site_id: int, goal: GoalQuery, period: Period, page: Page, choice: RowChoice
    ) -> MatchedSessions | None:
        """Return a page of the sessions that reached a goal; None where it is not counted for such a period.

        Raises:
            GoalSetAside: the store does not count the goal.

        """

    async def are_counted(self, site_id: int, goals: Sequence[GoalQuery], period: Period) -> bool:
        """Whether the store has counted all of the goals for such a period, so that their conversions cost little."""

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that the store does not count, by their ids, with the reasons."""


class GoalReports(Protocol):
    """Reports on sessions of one site that satisfied the rules of goals.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def count_conversions(
        self, site_id: int, goals: Sequence[GoalQuery], query: ReportQuery
    ) -> list[Conversions]:
        """Return `count_conversions` over all hits of the site.

        A goal that the store has set aside has no conversions and the reason.
        """

    async def converted_sessions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> MatchedSessions:
        """Return a page of `converted_sessions` over all hits of the site.

        The choice is by a text in them; it names no sessions.

        Raises:
            GoalSetAside: the store does not count the goal.

        """

    async def are_counted(self, site_id: int, goals: Sequence[GoalQuery], period: Period) -> bool:
        """Whether the store has counted all of the goals for such a period, so that their conversions cost little."""

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that the store does not count, by their ids, with the reasons."""


class DataSince(Protocol):
    """Says since when there is data of a site, and which times of it were imported."""

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` over all hits of the site.

        Raises:
            StoreUnavailable: the store does not answer.

        """

    async def imported(self, site_id: int) -> Sequence[Period]:
        """Return `imported` of each import of the site from another service.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class TrafficReports(DataSince, Protocol):
    """Reports on the traffic of one site.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def overview(self, site_id: int, query: ReportQuery) -> Traffic:
        """Return `overview` over all hits of the site."""

    async def overviews(
        self, site_id: int, periods: Sequence[Period], filters: Sequence[Filter] = ()
    ) -> list[Traffic]:
        """Return `overview` of each period: of periods that are compared in less time than one after the other."""

    async def count_sessions(self, site_id: int, query: ReportQuery) -> int:
        """Return the number of `select_visits` over all hits of the site."""

    async def timeseries(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[TrafficPoint]:
        """Return `timeseries` over all hits of the site.

        Raises:
            Invalid: there would be more than 2,000 buckets.

        """


class AllSitesReports(Protocol):
    """Reports on many sites of one store, by one question."""

    async def recent_visitors(
        self, site_ids: Sequence[int], days: RecentDays
    ) -> Mapping[int, RecentVisitors]:
        """Return `recent_visitors` over all hits of each site, by the ids of the sites.

        Raises:
            StoreUnavailable: the store does not answer.

        """

    async def selected_visitors(
        self, site_id: int, days: RecentDays, filters: Sequence[Filter]
    ) -> RecentVisitors:
        """Return `recent_visitors` over the hits of a site, with filters.

        Raises:
            Invalid: regular expressions take too long.
            StoreUnavailable: the store does not answer.

        """

    async def with_hits(self, periods: Mapping[int, Period]) -> frozenset[int]:
        """Return those of some sites that have hits in their periods, projected or not.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class CohortReports(Protocol):
    """Reports on how many visitors of one site come back."""

    async def counts(
        self, site_id: int, plan: CohortPlan, filters: Sequence[Filter] = ()
    ) -> list[CohortCount]:
        """Return `cohort_counts` over all hits of the site.

        Raises:
            Invalid: there would be more than 300 cohorts.
            GoalSetAside: the store does not count the goal.
            StoreUnavailable: the store does not answer.

        """


class RevenueReports(Protocol):
    """Reports on the visits that the money of one site's conversions is given to."""

    async def by_source(
        self, site_id: int, plan: RevenuePlan, page: Page, filters: Sequence[Filter] = ()
    ) -> Revenue:
        """Return `revenue` over all hits of the site.

        Raises:
            GoalSetAside: the store does not count the goal.
            StoreUnavailable: the store does not answer.

        """


class FunnelReports(Protocol):
    """Reports on how far sessions or visitors of one site get in a funnel."""

    async def progress(self, site_id: int, steps: FunnelSteps, query: ReportQuery) -> list[StepProgress]:
        """Return `funnel_progress` over all hits of the site.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class JourneyReports(Protocol):
    """Reports on the steps that sessions of one site take after a page, an event or a goal, or before it."""

    async def journeys(self, site_id: int, query: JourneyQuery, asked: ReportQuery) -> JourneyReport:
        """Return `journeys` over all hits of the site.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class ArrivalReports(Protocol):
    """Counts what came between two positions.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def count(self, site_id: int, span: Period, *, since: int, until: int) -> Mapping[Origin, int]:
        """Return the numbers of a site's hits inside of a span after one position and up to another, by origin.

        Origins without hits are missing.
        """

    async def count_measures(self, site_id: int, span: Period, *, since: int, until: int) -> int:
        """Return how many measures came in between of pageviews in the span that the later position has."""
