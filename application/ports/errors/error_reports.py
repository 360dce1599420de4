"""The port of reports on errors; the functions of the domain define the results."""

from collections.abc import Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.error_tracking.aggregation import ErrorBucket, ErrorSummary
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class SummaryPage:
    """A page of messages, and the number of messages on all pages."""

    summaries: Sequence[ErrorSummary]
    total: int


@frozen
class OccurrencePage:
    """A page of the occurrences of a message, and the number of occurrences on all pages."""

    occurrences: Sequence[Occurrence]
    total: int


class ErrorReports(Protocol):
    """Reports on single messages, and on new ones, in the pages of one site.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def new(self, site_id: int, query: ReportQuery, page: Page) -> SummaryPage:
        """Return a page of `new_errors` over all hits of the site."""

    async def occurrences(
        self, site_id: int, message: str, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> OccurrencePage:
        """Return a page of `list_occurrences` over all hits of the site.

        The choice is by a text in them; it names no occurrences.
        """

    async def buckets(
        self,
        site_id: int,
        query: ReportQuery,
        size: BucketSize,
        zone: ZoneInfo,
        *,
        message: str | None = None,
    ) -> list[ErrorBucket]:
        """Return `bucket_errors` over all hits of the site.

        Raises:
            Invalid: there would be more than 2,000 buckets.

        """

    async def cause(self, site_id: int, message: str) -> str | None:
        """Return the fingerprint of the latest occurrence of exactly this message; None when it was never reported.

        Raises:
            StoreUnavailable: the store does not answer, or has not told the causes of its errors apart yet.

        """


class StoredErrors(ErrorReports, Protocol):
    """Counts of messages that the store has in advance, without filters."""

    async def names(self, site_id: int, period: Period, page: Page, choice: RowChoice) -> SummaryPage:
        """Return a page of `summarize_errors` over all hits of the site, of the messages that are chosen.

        The choice is by a text in them; it names no messages.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class ErrorNameReports(Protocol):
    """Reports on the messages of exceptions in the pages of one site."""

    async def summarize(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> SummaryPage:
        """Return a page of `summarize_errors` over all hits of the site, of the messages that are chosen.

        The choice is by a text in them; it names no messages.

        Raises:
            StoreUnavailable: the store does not answer.

        """
