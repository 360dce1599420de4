"""What reports on errors are asked for: a port whose answers are defined by the functions of the domain."""

from collections.abc import Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from footfall.domain.bucket import BucketSize
from footfall.domain.error_report import ErrorBucket, ErrorSummary
from footfall.domain.filter import Filter
from footfall.domain.occurrence import Occurrence
from footfall.domain.page import Page
from footfall.domain.period import Period


class ErrorReports(Protocol):
    """Exceptions that the visitors of one site met (decisions, section 6).

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def summarize(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of what `domain.error_report.summarize_errors` says of all hits of the site."""

    async def new(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[ErrorSummary]:
        """Return a page of what `domain.error_report.new_errors` says of all hits of the site."""

    async def summary(
        self, site_id: int, message: str, period: Period, filters: Sequence[Filter] = ()
    ) -> ErrorSummary | None:
        """Return what `domain.error_report.summarize_errors` says of one message; None when it did not occur."""

    async def occurrences(
        self, site_id: int, message: str, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[Occurrence]:
        """Return a page of what `domain.error_report.list_occurrences` says of all hits of the site."""

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
        """Return what `domain.error_report.bucket_errors` says of all hits of the site.

        Raises:
            Invalid: there would be more than 2,000 buckets.

        """

    async def knows(self, site_id: int, message: str) -> bool:
        """Whether an exception with exactly this message was ever reported."""
