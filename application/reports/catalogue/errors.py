"""Inquiries about errors."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import field, frozen

from footfall.application.access.readers import Reader
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.error_messages import MessageList, with_status
from footfall.application.reports.tables import Column, Table, records_by, table_by, table_of
from footfall.domain.error_tracking.aggregation import ErrorBucket
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.session import session_text

_MESSAGE = {
    "value": "summary.message",
    "errorName": "summary.error_name",
    "count": "summary.count",
    "sessionCount": "summary.session_count",
    "percentage": "summary.percentage",
    "firstSeen": "summary.first_seen",
    "lastSeen": "summary.last_seen",
    "status": "status",
}
_OF_HIT = (
    *("pathname", "hostname", "browser", "browser_version", "operating_system", "device_type"),
    "country",
)
OCCURRENCE: Mapping[str, Column] = {
    "timestamp": "hit.occurred_at",
    "session_id": lambda occurrence: session_text(occurrence.session_id),
    "user_id": "user_id",
    **{name: f"hit.{name}" for name in _OF_HIT},
    "message": "details.message",
    "stack": "details.stack",
    "fileName": "details.file_name",
    "lineNumber": "details.line_number",
    "columnNumber": "details.column_number",
}


@frozen
class ErrorNamesInquiry(Inquiry[MessageList]):
    """The messages of errors, with the status of each at a time."""

    decisions: ErrorDecisions = field(eq=False)
    now: datetime = field(eq=False)
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("value",)
    has_history = True

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return whether the store has counted them."""
        return not self.query.filters

    async def ask(self, reports: ReportSet, site_id: int) -> MessageList:
        """Return the messages in their order, which is the most frequent first."""
        page = await self._page(reports, site_id)
        return await with_status(reports.error_groups, self.decisions, site_id, page, self.now)

    async def _page(self, reports: ReportSet, site_id: int) -> SummaryPage:
        return await reports.error_names.summarize(site_id, self.query, self.page, choice=self.choice)

    def table(self, answer: MessageList) -> Table:
        """Return a row for each message."""
        return table_by(_MESSAGE, answer.messages)


@frozen
class NewErrorsInquiry(ErrorNamesInquiry):
    """The messages first seen in the period, the latest first; nothing searches them."""

    async def _page(self, reports: ReportSet, site_id: int) -> SummaryPage:
        return await reports.errors.new(site_id, self.query, self.page)


@frozen
class OccurrencesInquiry(Inquiry[OccurrencePage]):
    """The occurrences of one error, as a reader may see them."""

    message: str
    reader: Reader
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS

    async def ask(self, reports: ReportSet, site_id: int) -> OccurrencePage:
        """Return the occurrences, the newest first."""
        return await reports.errors.occurrences(
            site_id, self.message, self.query, self.page, choice=self.choice
        )

    def table(self, answer: OccurrencePage) -> Table:
        """Return a row for each occurrence."""
        rows = records_by(OCCURRENCE, answer.occurrences)
        return table_of(tuple(OCCURRENCE), map(self.reader.shown, rows))


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
        return await reports.errors.buckets(site_id, query, self.size, self.zone, message=self.message)

    def table(self, answer: list[ErrorBucket]) -> Table:
        """Return a row for each bucket."""
        return table_by({"time": "time", "error_count": "count"}, answer)
