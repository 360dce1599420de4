"""Inquiries about errors."""

from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.access.disclosure import Reader
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.error_tracking.aggregation import ErrorBucket
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.session import session_text

_MESSAGE = ("value", "errorName", "count", "sessionCount", "percentage", "firstSeen", "lastSeen", "status")
_OF_HIT = (
    *("pathname", "hostname", "browser", "browser_version", "operating_system", "device_type"),
    "country",
)
_OCCURRENCE = (
    *("timestamp", "session_id", "user_id", *_OF_HIT),
    *("message", "stack", "fileName", "lineNumber", "columnNumber"),
)


@frozen
class ErrorNamesInquiry(Inquiry[SummaryPage]):
    """The messages of errors."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("value",)
    has_history = True

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return whether the store has counted them."""
        return not self.query.filters

    async def ask(self, reports: ReportSet, site_id: int) -> SummaryPage:
        """Return the messages, the most frequent first."""
        period, filters = self.query.period, self.query.filters
        return await reports.error_names.summarize(site_id, period, self.page, filters, choice=self.choice)

    def table(self, answer: SummaryPage) -> Table:
        """Return a row for each message."""
        rows = [
            {
                "value": error.message,
                "errorName": error.error_name,
                "count": error.count,
                "sessionCount": error.session_count,
                "percentage": error.percentage,
                "firstSeen": error.first_seen,
                "lastSeen": error.last_seen,
                "status": error.status,
            }
            for error in answer.summaries
        ]
        return table_of(_MESSAGE, rows)


@frozen
class NewErrorsInquiry(ErrorNamesInquiry):
    """The messages first seen in the period, which nothing searches."""

    async def ask(self, reports: ReportSet, site_id: int) -> SummaryPage:
        """Return the messages, the latest first."""
        return await reports.errors.new(site_id, self.query.period, self.page, self.query.filters)


@frozen
class OccurrencesInquiry(Inquiry[OccurrencePage]):
    """The occurrences of one error, as a reader may see them."""

    message: str
    reader: Reader
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS

    async def ask(self, reports: ReportSet, site_id: int) -> OccurrencePage:
        """Return the occurrences, the newest first."""
        period, filters = self.query.period, self.query.filters
        return await reports.errors.occurrences(
            site_id, self.message, period, self.page, filters, choice=self.choice
        )

    def table(self, answer: OccurrencePage) -> Table:
        """Return a row for each occurrence."""
        rows = [
            {
                "timestamp": occurrence.hit.occurred_at,
                "session_id": session_text(occurrence.session_id),
                "user_id": occurrence.user_id,
                **{name: getattr(occurrence.hit, name) for name in _OF_HIT},
                "message": occurrence.details.message,
                "stack": occurrence.details.stack,
                "fileName": occurrence.details.file_name,
                "lineNumber": occurrence.details.line_number,
                "columnNumber": occurrence.details.column_number,
            }
            for occurrence in answer.occurrences
        ]
        return table_of(_OCCURRENCE, map(self.reader.shown, rows))


@frozen
class ErrorBucketsInquiry(Inquiry[list[ErrorBucket]]):
    """The occurrences of one error, or of all, in each bucket."""

    size: BucketSize
    zone: ZoneInfo
    message: str | None = None
    keys = ("time",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[ErrorBucket]:
        """Return the number of each bucket."""
        query = self.query
        return await reports.errors.buckets(
            site_id, query.period, self.size, self.zone, message=self.message, filters=query.filters
        )

    def table(self, answer: list[ErrorBucket]) -> Table:
        """Return a row for each bucket."""
        rows = [{"time": bucket.time, "error_count": bucket.count} for bucket in answer]
        return table_of(("time", "error_count"), rows)
