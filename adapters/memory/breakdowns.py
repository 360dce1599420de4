"""Breakdowns in memory: the functions of the domain over the whole log."""

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.breakdowns import ONLINE, Realtime, SharePage
from footfall.domain.breakdown import break_down
from footfall.domain.filter import Filter
from footfall.domain.hit import HitType, RecordedHit
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.vitals import PageVitals, measure


class MemoryBreakdowns:
    """BreakdownReports over a traffic log in memory."""

    def __init__(self, log: MemoryTrafficLog) -> None:
        self._log = log

    async def break_down(
        self,
        site_id: int,
        by: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        visitors: bool = False,
    ) -> SharePage:
        """Return a page of the values, the largest first."""
        shares = break_down(await self._hits(site_id), by, period, filters)
        if not visitors:
            shares = [evolve(share, visitors=None) for share in shares]
        return SharePage(list(page.of(shares)), len(shares), sum(share.count for share in shares))

    async def web_vitals(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""
        everything = measure(await self._hits(site_id), period, filters)
        return [*everything[:1], *page.of(everything[1:])]

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return who was there in the last five minutes."""
        hits = [one.hit for one in await self._hits(site_id) if now - ONLINE < one.hit.occurred_at <= now]
        views = sum(hit.type is HitType.PAGEVIEW for hit in hits)
        return Realtime(visitors=len({hit.visitor_id for hit in hits}), pageviews=views)

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return when the latest hit happened."""
        return max((one.hit.occurred_at for one in await self._hits(site_id)), default=None)

    async def _hits(self, site_id: int) -> list[RecordedHit]:
        horizon = await self._log.horizon()
        recorded = await self._log.read(after=0, up_to=horizon, limit=horizon)
        return [one for one in recorded if one.hit.site_id == site_id]
