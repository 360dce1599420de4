"""The port of breakdowns of traffic; the functions of the domain define the results."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from attrs import frozen

from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.online.live import Live
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.properties import Sum
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import PageVitals

ONLINE = timedelta(minutes=5)


@frozen
class BreakdownPage:
    """A page of the chosen rows of a breakdown, the number of chosen ones on all pages, and the sum of all counts."""

    rows: Sequence[BreakdownRow]
    values: int
    count: int


@frozen
class PagesPage:
    """A page of the chosen pages, the number of these on all pages, and all pageviews."""

    rows: Sequence[PageTraffic]
    values: int
    pageviews: int


@frozen
class Realtime:
    """Visitors and pageviews of the last five minutes."""

    visitors: int = 0
    pageviews: int = 0


class LiveReports(Protocol):
    """Reports on what happens on one site now.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return the traffic of the last five minutes."""

    async def live(self, site_id: int, query: ReportQuery) -> Live:
        """Return `live` over all hits of the site; the period is one that `live_period` returns."""

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return the time of the latest hit of the site; None when there are no hits."""


class BreakdownReports(Protocol):
    """Breakdowns of the traffic of one site.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def break_down(
        self,
        site_id: int,
        by: str,
        query: ReportQuery,
        page: Page,
        *,
        visitors: bool = False,
        goal: GoalQuery | None = None,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> BreakdownPage:
        """Return a page of `break_down` over all hits of the site, of the rows that `choose_rows` returns.

        The paths of `groups` have the names of their groups. The visitors of each value are counted on request only:
        distinct counts are not sums and cost more. With a goal they are counted in any case.
        """

    async def sums(
        self,
        site_id: int,
        event: EventRule,
        keys: Sequence[str],
        by: str,
        among: Sequence[str],
        query: ReportQuery,
        *,
        groups: PageGroups = UNGROUPED,
    ) -> Mapping[tuple[str, str], Sum]:
        """Return `sums_by_value` over all hits of the site."""

    async def pages(
        self,
        site_id: int,
        query: ReportQuery,
        page: Page,
        *,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> PagesPage:
        """Return a page of `page_traffic` over all hits of the site.

        The choice is by a text in their paths, or in the names of groups; it names no values.
        """

    async def web_vitals(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> list[PageVitals]:
        """Return `measure` over all hits of the site: all pages together, and a page of those that are chosen.

        The choice is by a text in their paths; it names no values.
        """
