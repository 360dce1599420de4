"""Errors in memory: the functions of the domain over the whole log, and what the journal says of them."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.streams import site_stream
from footfall.domain.bucket import BucketSize
from footfall.domain.error_report import (
    ErrorBucket,
    ErrorSummary,
    bucket_errors,
    list_occurrences,
    new_errors,
    summarize_errors,
)
from footfall.domain.filter import Filter
from footfall.domain.hit import HitType, RecordedHit
from footfall.domain.occurrence import Occurrence, error_message
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.site import ErrorResolved


class MemoryErrorReports:
    """ErrorReports over a traffic log and a journal in memory."""

    def __init__(self, log: MemoryTrafficLog, journal: MemoryEventStore) -> None:
        self._log = log
        self._journal = journal

    async def summarize(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of the messages, most frequent first."""
        return list(page.of(await self._summaries(site_id, period, filters)))

    async def new(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of the messages first seen in the period, latest first."""
        return list(page.of(new_errors(await self._summaries(site_id, period, filters), period)))

    async def summary(
        self, site_id: int, message: str, period: Period, filters: Sequence[Filter] = ()
    ) -> ErrorSummary | None:
        """Return the summary of one message, None when it did not occur."""
        summaries = await self._summaries(site_id, period, filters)
        return next((one for one in summaries if one.message == message), None)

    async def occurrences(
        self, site_id: int, message: str, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[Occurrence]:
        """Return a page of the occurrences of one message, newest first."""
        found = list_occurrences(await self._hits(site_id), message, period, filters=filters)
        return list(page.of(found))

    async def buckets(
        self,
        site_id: int,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        *,
        message: str | None = None,
        filters: Sequence[Filter] = (),
    ) -> list[ErrorBucket]:
        """Return the number of occurrences in each bucket of the period, ascending."""
        return bucket_errors(await self._hits(site_id), period, size, zone, message=message, filters=filters)

    async def knows(self, site_id: int, message: str) -> bool:
        """Whether an exception with exactly this message was ever reported."""
        errors = (one.hit for one in await self._hits(site_id) if one.hit.type is HitType.ERROR)
        return any(error_message(hit) == message for hit in errors)

    async def _summaries(self, site_id: int, period: Period, filters: Sequence[Filter]) -> list[ErrorSummary]:
        resolutions = await self._resolutions(site_id)
        return summarize_errors(await self._hits(site_id), period, filters=filters, resolutions=resolutions)

    async def _resolutions(self, site_id: int) -> dict[str, datetime]:
        events = await self._journal.load(site_stream(site_id))
        return {
            recorded.event.message: recorded.metadata.recorded_at
            for recorded in events
            if isinstance(recorded.event, ErrorResolved)
        }

    async def _hits(self, site_id: int) -> list[RecordedHit]:
        horizon = await self._log.horizon()
        recorded = await self._log.read(after=0, up_to=horizon, limit=horizon)
        return [one for one in recorded if one.hit.site_id == site_id]
