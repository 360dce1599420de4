"""The last half hour of sites for pages that ask again and again: one answer serves all who watch a site."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import define, field, frozen

from footfall.application.ports.reports.breakdowns import LiveReports
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.online.live import Live, live_period
from footfall.domain.traffic.report_query import ReportQuery

KEPT = timedelta(seconds=2)


# A site, and the filters that select among its sessions.
_Question = tuple[int, tuple[Filter, ...]]


@frozen
class _LiveReading:
    period: Period
    until: datetime
    task: asyncio.Task[Live]


@define
class LiveReader:
    """Reads the last half hour of a site once in two seconds, however many ask with the same filters."""

    _reports: LiveReports
    _freshness: Freshness
    _clock: Clock
    _readings: dict[_Question, _LiveReading] = field(factory=dict, init=False)

    async def read(self, site_id: int, filters: Sequence[Filter] = ()) -> tuple[Live, Period]:
        """Return the traffic of the last 30 minutes, at most two seconds old, and the minutes.

        Raises:
            StoreUnavailable: the store does not answer; it is not asked again within these seconds.
            Invalid: a regular expression among the filters takes too long.

        """
        now = self._clock.now()
        self._readings = {key: reading for key, reading in self._readings.items() if now < reading.until}
        question = (site_id, tuple(filters))
        current = self._readings.get(question) or self._begin(question, now)
        # A reader that leaves does not end the reading of the others.
        return await asyncio.shield(current.task), current.period

    def _begin(self, question: _Question, now: datetime) -> _LiveReading:
        period = live_period(now)
        task = asyncio.create_task(self._read(question, period))
        task.add_done_callback(_retrieve)
        self._readings[question] = _LiveReading(period, now + KEPT, task)
        return self._readings[question]

    async def _read(self, question: _Question, period: Period) -> Live:
        site_id, filters = question
        await self._freshness.catch_up(site_id)
        return await self._reports.live(site_id, ReportQuery(period, filters))


def _retrieve(reading: asyncio.Task[Live]) -> None:
    """Look at the exception of a reading, which otherwise is logged when all readers have left."""
    if not reading.cancelled():
        reading.exception()
