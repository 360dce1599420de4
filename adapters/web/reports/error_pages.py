"""The panel of errors, and what the pages of errors have in common."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.adapters.web.reports.panels.inquiries import of_errors, query_of
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.trends import Trend, trend
from footfall.adapters.web.reports.view import View
from footfall.application.ingestion.payload_rules import MAX_ERROR_MESSAGE
from footfall.application.journal.directory import Directory
from footfall.application.languages.language import marked
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.errors import ErrorBucketsInquiry
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.exceptions import Invalid
from footfall.domain.text import text_fault

PAGE_SIZE = 20
STATUSES: Mapping[ErrorStatus, str] = MappingProxyType(
    marked(
        {
            ErrorStatus.OPEN: "Not resolved",
            ErrorStatus.RESOLVED: "Resolved, with no occurrences since",
            ErrorStatus.REGRESSED: "Occurred again after it was resolved",
            ErrorStatus.MUTED: "Muted",
        }
    )
)


@frozen
class ErrorPanels:
    """Queries the contents of the error panels; `deploys` are the marks of their period that the reader may see."""

    _reports: ReportSet
    _directory: Directory
    _deploys: Sequence[Annotation] = ()

    async def messages(self, site_id: int, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return a page of the chosen error messages, with the trend of each."""
        inquiry = of_errors(view, self._directory, site_id, rows)
        listing = await inquiry.ask(self._reports, site_id)
        messages = [listed.summary.message for listed in listing.messages]
        # One query for each message that is shown.
        trends = {message: await self._trend(site_id, view, message) for message in messages}
        return {
            "listing": listing,
            "trends": trends,
            "requested": rows,
            "statuses": STATUSES,
        }

    async def _trend(self, site_id: int, view: View, message: str) -> Trend:
        inquiry = ErrorBucketsInquiry(query_of(view), view.size, view.window.zone, message)
        buckets = await inquiry.ask(self._reports, site_id)
        return trend([(bucket.time, bucket.count) for bucket in buckets], view, deploys=self._deploys)


def error_message(parameters: Mapping[str, Any]) -> str:
    """Return the message that an address names.

    Raises:
        Invalid: the message is not valid.

    """
    message = str(parameters.get("message", ""))
    if error := text_fault(message, maximum=MAX_ERROR_MESSAGE):
        raise Invalid({"message": [error]})
    return message
