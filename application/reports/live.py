"""The last half hour of sites for pages that ask again and again: one answer serves all who watch a site."""

import asyncio
from datetime import datetime, timedelta

from attrs import define, field, frozen

from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.periods.period import Period
from footfall.domain.traffic.live import Live, live_period

KEPT = timedelta(seconds=2)


@frozen
class _Kept:
    period: Period
    until: datetime
    reading: asyncio.Task[Live]


@define
class LiveReader:
    """Reads the last half hour of a site once in two seconds, however many ask."""

    _reports: BreakdownReports
    _freshness: Freshness
    _clock: Clock
    _kept: dict[int, _Kept] = field(factory=dict, init=False)

    async def read(self, site_id: int) -> tuple[Live, Period]:
        """Return the traffic of the last 30 minutes, at most two seconds old, and the minutes.

        Raises:
            StoreUnavailable: the store does not answer; it is not asked again within these seconds.

        """
        now = self._clock.now()
        self._kept = {known: one for known, one in self._kept.items() if now < one.until}
        kept = self._kept.get(site_id) or self._begin(site_id, now)
        # A reader that leaves does not end the reading of the others.
        return await asyncio.shield(kept.reading), kept.period

    def _begin(self, site_id: int, now: datetime) -> _Kept:
        period = live_period(now)
        reading = asyncio.create_task(self._read(site_id, period))
        reading.add_done_callback(_retrieve)
        self._kept[site_id] = _Kept(period, now + KEPT, reading)
        return self._kept[site_id]

    async def _read(self, site_id: int, period: Period) -> Live:
        await self._freshness.catch_up(site_id)
        return await self._reports.live(site_id, period)


def _retrieve(reading: asyncio.Task[Live]) -> None:
    """Look at the exception of a reading, which otherwise is logged when all readers have left."""
    if not reading.cancelled():
        reading.exception()
