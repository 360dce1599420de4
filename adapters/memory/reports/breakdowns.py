"""Breakdowns in memory: the functions of the domain over the whole log."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import evolve, frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.reports.breakdowns import ONLINE, BreakdownPage, PagesPage, Realtime
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import break_down, choose_rows
from footfall.domain.traffic.online.live import Live, live
from footfall.domain.traffic.pages import page_traffic
from footfall.domain.traffic.properties import Sum, sums_by_value
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import PageVitals, measure


@frozen
class MemoryBreakdowns:
    """BreakdownReports and LiveReports over a traffic log in memory."""

    _log: MemoryTrafficLog

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
        """Return a page of the values, the largest first."""
        rule = None if goal is None else goal.rule
        rows = break_down(
            self._log.hits_of(site_id), by, query.period, query.filters, goal=rule, groups=groups
        )
        if not visitors and goal is None:
            rows = [evolve(row, visitors=None) for row in rows]
        chosen = choose_rows(rows, choice)
        return BreakdownPage(list(page.of(chosen)), len(chosen), sum(row.count for row in rows))

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
        """Return the sums of properties by values of an attribute."""
        return sums_by_value(
            event, keys, by, among, self._log.hits_of(site_id), query.period, query.filters, groups
        )

    async def pages(
        self,
        site_id: int,
        query: ReportQuery,
        page: Page,
        *,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> PagesPage:
        """Return a page of the pages, the most viewed first."""
        rows = page_traffic(self._log.hits_of(site_id), query.period, query.filters, groups)
        chosen = [
            row
            for row in rows
            if choice.is_in(row.pathname) and (choice.among is None or row.pathname in choice.among)
        ]
        return PagesPage(list(page.of(chosen)), len(chosen), sum(row.pageviews for row in rows))

    async def web_vitals(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""
        everything = measure(self._log.hits_of(site_id), query.period, query.filters)
        chosen = [vitals for vitals in everything[1:] if choice.is_in(vitals.pathname or "")]
        return [*everything[:1], *page.of(chosen)]

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return the traffic of the last five minutes."""
        hits = [
            recorded.hit
            for recorded in self._log.hits_of(site_id)
            if now - ONLINE < recorded.hit.occurred_at <= now
        ]
        views = sum(hit.type is HitType.PAGEVIEW for hit in hits)
        return Realtime(visitors=len({hit.visitor_id for hit in hits}), pageviews=views)

    async def live(self, site_id: int, query: ReportQuery) -> Live:
        """Return the traffic of the last 30 minutes."""
        return live(self._log.hits_of(site_id), query.period, query.filters)

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return when the latest hit happened."""
        return max((recorded.hit.occurred_at for recorded in self._log.hits_of(site_id)), default=None)
