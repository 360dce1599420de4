"""Reports in memory: the functions of the domain over the whole log."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.reports import AskedGoal, Lag, SessionPage
from footfall.domain.bucket import BucketSize
from footfall.domain.conversion import Conversions, converted_sessions, count_conversions
from footfall.domain.filter import Filter
from footfall.domain.hit import RecordedHit
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.quarter import quarter_of
from footfall.domain.traffic import Traffic, TrafficPoint, overview, timeseries


class MemoryReports:
    """GoalReports, TrafficReports and Freshness over a traffic log in memory; always up to date."""

    def __init__(self, log: MemoryTrafficLog) -> None:
        self._log = log

    async def catch_up(self) -> None:
        """Return at once."""

    async def lag(self) -> Lag:
        """Return no lag."""
        return Lag(0, 0.0)

    async def count_conversions(
        self, site_id: int, goals: Sequence[AskedGoal], period: Period, filters: Sequence[Filter] = ()
    ) -> list[Conversions]:
        """Return the conversions of each rule, in the order of the goals."""
        return count_conversions([goal.rule for goal in goals], await self._hits(site_id), period, filters)

    async def converted_sessions(
        self, site_id: int, goal: AskedGoal, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> SessionPage:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        sessions = converted_sessions(goal.rule, await self._hits(site_id), period, filters)
        return SessionPage(page.of(sessions), len(sessions))

    async def data_since(self, site_id: int) -> datetime | None:
        """Return from when on there are hits."""
        return min((quarter_of(one.hit.occurred_at) for one in await self._hits(site_id)), default=None)

    async def overview(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Traffic:
        """Return the traffic of the period."""
        return overview(await self._hits(site_id), period, filters)

    async def timeseries(
        self,
        site_id: int,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        filters: Sequence[Filter] = (),
    ) -> list[TrafficPoint]:
        """Return the traffic of each bucket of the period."""
        return timeseries(await self._hits(site_id), period, size, zone, filters)

    async def _hits(self, site_id: int) -> list[RecordedHit]:
        horizon = await self._log.horizon()
        recorded = await self._log.read(after=0, up_to=horizon, limit=horizon)
        return [one for one in recorded if one.hit.site_id == site_id]
