"""Errors in memory: the functions of the domain over the whole log, and their resolutions in the journal."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.domain.error_tracking.aggregation import (
    ErrorBucket,
    ErrorSummary,
    bucket_errors,
    list_occurrences,
    new_errors,
    summarize_errors,
)
from footfall.domain.error_tracking.occurrence import error_message
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.sites.site import ErrorResolved
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import Filter


@frozen
class MemoryErrorReports:
    """ErrorReports and ErrorNameReports over a traffic log and a journal in memory."""

    _log: MemoryTrafficLog
    _journal: MemoryEventStore

    async def summarize(
        self,
        site_id: int,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> SummaryPage:
        """Return a page of the messages, most frequent first."""
        every = await self._summaries(site_id, period, filters)
        summaries = [summary for summary in every if choice.is_in(summary.message)]
        return SummaryPage(page.of(summaries), len(summaries))

    async def new(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> SummaryPage:
        """Return a page of the messages first seen in the period, latest first."""
        summaries = new_errors(await self._summaries(site_id, period, filters), period)
        return SummaryPage(page.of(summaries), len(summaries))

    async def summary(
        self, site_id: int, message: str, period: Period, filters: Sequence[Filter] = ()
    ) -> ErrorSummary | None:
        """Return the summary of one message, None when it did not occur."""
        summaries = await self._summaries(site_id, period, filters)
        return next((summary for summary in summaries if summary.message == message), None)

    async def occurrences(
        self,
        site_id: int,
        message: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> OccurrencePage:
        """Return a page of the occurrences of one message, newest first."""
        occurrences = list_occurrences(
            self._log.hits_of(site_id), message, period, filters=filters, choice=choice
        )
        return OccurrencePage(page.of(occurrences), len(occurrences))

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
        return bucket_errors(self._log.hits_of(site_id), period, size, zone, message=message, filters=filters)

    async def knows(self, site_id: int, message: str) -> bool:
        """Whether an exception with exactly this message was ever reported."""
        errors = (
            recorded.hit for recorded in self._log.hits_of(site_id) if recorded.hit.type is HitType.ERROR
        )
        return any(error_message(hit) == message for hit in errors)

    async def _summaries(self, site_id: int, period: Period, filters: Sequence[Filter]) -> list[ErrorSummary]:
        resolutions = await self._resolutions(site_id)
        return summarize_errors(self._log.hits_of(site_id), period, filters=filters, resolutions=resolutions)

    async def _resolutions(self, site_id: int) -> dict[str, datetime]:
        events = await self._journal.load(site_stream(site_id))
        return {
            recorded.event.message: recorded.metadata.recorded_at
            for recorded in events
            if isinstance(recorded.event, ErrorResolved)
        }
