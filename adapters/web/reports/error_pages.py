"""Error panels, and resolving an error."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage, page
from footfall.adapters.web.reports.panels.inquiries import query_of
from footfall.adapters.web.reports.panels.rows import PanelRows
from footfall.adapters.web.reports.trends import Trend, trend
from footfall.adapters.web.reports.view import View, read_view
from footfall.application.access.authorization import Access
from footfall.application.commands.error_resolution import ErrorResolutions
from footfall.application.ingestion.payload_rules import MAX_ERROR_MESSAGE
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.ports.system import Clock
from footfall.application.reports.catalogue.errors import ErrorBucketsInquiry, ErrorNamesInquiry
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.exceptions import Invalid
from footfall.domain.text import text_fault

PAGE_SIZE = 20
STATUSES: Mapping[ErrorStatus, str] = MappingProxyType(
    {
        ErrorStatus.OPEN: "Not resolved",
        ErrorStatus.RESOLVED: "Resolved, with no occurrences since",
        ErrorStatus.REGRESSED: "Occurred again more than 10 minutes after it was resolved",
    }
)


@frozen
class ErrorPanels:
    """Queries the contents of the error panels; `deploys` are the marks of their period that the reader may see."""

    _reports: ReportSet
    _deploys: Sequence[Annotation] = ()

    async def messages(self, site_id: int, view: View, rows: PanelRows) -> dict[str, Any]:
        """Return a page of the chosen error messages, with the trend of each."""
        inquiry = ErrorNamesInquiry(query_of(view), rows.choice, rows.page)
        listing = await inquiry.ask(self._reports, site_id)
        # One query for each message that is shown.
        trends = {
            summary.message: await self._trend(site_id, view, summary.message)
            for summary in listing.summaries
        }
        return {
            "summaries": listing.summaries,
            "total": listing.total,
            "trends": trends,
            "requested": rows,
            "statuses": STATUSES,
        }

    async def occurrences(
        self, site_id: int, view: View, parameters: Mapping[str, Any], rows: PanelRows
    ) -> dict[str, Any]:
        """Return a page of the chosen occurrences of a message, the latest first, with its summary.

        Raises:
            Invalid: the message is not valid.

        """
        message, errors, period = error_message(parameters), self._reports.errors, view.window.period
        listing = await errors.occurrences(
            site_id, message, period, rows.page, view.filters, choice=rows.choice
        )
        return {
            "message": message,
            "occurrences": listing.occurrences,
            "total": listing.total,
            "requested": rows,
            "summary": await errors.summary(site_id, message, period, view.filters),
            "trend": await self._trend(site_id, view, message),
            "statuses": STATUSES,
        }

    async def _trend(self, site_id: int, view: View, message: str) -> Trend:
        inquiry = ErrorBucketsInquiry(query_of(view), view.size, view.window.zone, message)
        buckets = await inquiry.ask(self._reports, site_id)
        return trend([(bucket.time, bucket.count) for bucket in buckets], view, deploys=self._deploys)


@frozen
class ErrorResolutionForm(DashboardPage):
    """POST /sites/<site_id>/errors/resolution; the message is in the address, because forms change line ends."""

    access_post = Access.MEMBER

    _resolutions: ErrorResolutions
    _clock: Clock

    @page
    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Mark an error as resolved, and redirect to the page of the button."""
        await self._access.form(req)
        record = await self._access.authorize_site(self.access_post, site, req)
        site_id, message = record.site.site_id, error_message(req.params)
        view = read_view(req, f"/sites/{site_id}", self._clock.now(), time_zone=record.site.config.time_zone)
        await self._resolutions.resolve(site_id, message, await self._access.command_context(req))
        raise falcon.HTTPSeeOther(_origin(view, req.get_param("then"), message))


def error_message(parameters: Mapping[str, Any]) -> str:
    """Return the message that an address names, or that a form names by `quoted`, because forms change line ends.

    Raises:
        Invalid: the message is not valid.

    """
    quoted = parameters.get("quoted")
    message = str(parameters.get("message", "")) if quoted is None else unquote(str(quoted))
    if error := text_fault(message, maximum=MAX_ERROR_MESSAGE):
        raise Invalid({"message": [error]})
    return message


def _origin(view: View, then: str | None, message: str) -> str:
    if then == "errors":
        return view.address("/panels/errors")
    if then == "occurrences":
        return view.address("/panels/occurrences", message=message)
    return view.address() + "#errors"
