"""Errors in memory: the functions of the domain over the whole log."""

from operator import attrgetter
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.domain.error_tracking.aggregation import (
    ErrorBucket,
    bucket_errors,
    list_occurrences,
    new_errors,
    summarize_errors,
)
from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.error_tracking.occurrence import error_message
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryErrorReports:
    """ErrorReports and ErrorNameReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def summarize(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> SummaryPage:
        """Return a page of the messages, most frequent first."""
        every = summarize_errors(self._log.hits_of(site_id), query.period, filters=query.filters)
        summaries = [summary for summary in every if choice.is_in(summary.message)]
        return SummaryPage(page.of(summaries), len(summaries))

    async def new(self, site_id: int, query: ReportQuery, page: Page) -> SummaryPage:
        """Return a page of the messages first seen in the period, latest first."""
        every = summarize_errors(self._log.hits_of(site_id), query.period, filters=query.filters)
        summaries = new_errors(every, query.period)
        return SummaryPage(page.of(summaries), len(summaries))

    async def occurrences(
        self, site_id: int, message: str, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> OccurrencePage:
        """Return a page of the occurrences of one message, newest first."""
        occurrences = list_occurrences(
            self._log.hits_of(site_id), message, query.period, filters=query.filters, choice=choice
        )
        return OccurrencePage(page.of(occurrences), len(occurrences))

    async def buckets(
        self,
        site_id: int,
        query: ReportQuery,
        size: BucketSize,
        zone: ZoneInfo,
        *,
        message: str | None = None,
    ) -> list[ErrorBucket]:
        """Return the number of occurrences in each bucket of the period, ascending."""
        return bucket_errors(
            self._log.hits_of(site_id), query.period, size, zone, message=message, filters=query.filters
        )

    async def cause(self, site_id: int, message: str) -> str | None:
        """Return the fingerprint of the latest occurrence of a message."""
        errors = [recorded for recorded in self._log.hits_of(site_id) if recorded.hit.type is HitType.ERROR]
        with_message = [recorded for recorded in errors if error_message(recorded.hit) == message]
        latest = max(with_message, key=attrgetter("moment"), default=None)
        return None if latest is None else hit_fingerprint(latest.hit)
