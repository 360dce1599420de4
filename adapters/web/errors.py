"""Errors for people: what was reported, how it goes on, and calling it resolved."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.pages import Pages, page
from footfall.adapters.web.trends import Trend, trend
from footfall.adapters.web.view import View, read_view
from footfall.application.access import Access
from footfall.application.error_reports import ErrorReports
from footfall.application.error_resolution import ErrorResolutions
from footfall.application.ports import Clock
from footfall.application.tracking import MAX_ERROR_MESSAGE
from footfall.domain.error_report import ErrorStatus
from footfall.domain.errors import Invalid
from footfall.domain.page import Page, parse_page
from footfall.domain.text import text_fault

PAGE_SIZE = 20
OCCURRENCES = 8
STATUSES: Mapping[ErrorStatus, str] = MappingProxyType(
    {
        ErrorStatus.OPEN: "Nobody has called it resolved",
        ErrorStatus.RESOLVED: "Called resolved, and it has not happened since",
        ErrorStatus.REGRESSED: "Called resolved, and it happened again more than ten minutes later",
    }
)


class ErrorPanels:
    """Asks for what the panels about errors show."""

    def __init__(self, errors: ErrorReports) -> None:
        self._errors = errors

    async def messages(
        self, site_id: int, view: View, parameters: Mapping[str, Any], rows: int | None = None
    ) -> dict[str, Any]:
        """Return the first rows of the messages, or without a number of rows the page that is asked for.

        Raises:
            Invalid: the page is none.

        """
        asked = (
            Page(1, rows) if rows else parse_page({"page": str(parameters.get("page", 1))}, size=PAGE_SIZE)
        )
        found = await self._errors.summarize(site_id, view.window.period, asked, view.filters)
        # One small question a message: only for those that are shown.
        trends = {one.message: await self._trend(site_id, view, one.message) for one in found}
        return {"summaries": found, "trends": trends, "asked": asked, "statuses": STATUSES}

    async def occurrences(self, site_id: int, view: View, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the latest occurrences of a message, with what is known of it.

        Raises:
            Invalid: no error can have this message.

        """
        message = _message(parameters)
        found = await self._errors.occurrences(
            site_id, message, view.window.period, Page(1, OCCURRENCES), view.filters
        )
        return {
            "message": message,
            "found": found,
            "summary": await self._errors.summary(site_id, message, view.window.period, view.filters),
            "trend": await self._trend(site_id, view, message),
            "statuses": STATUSES,
        }

    async def _trend(self, site_id: int, view: View, message: str) -> Trend:
        buckets = await self._errors.buckets(
            site_id,
            view.window.period,
            view.size,
            view.window.zone,
            message=message,
            filters=view.filters,
        )
        return trend(buckets, view)


class ErrorResolution:
    """POST /sites/<site_id>/errors/resolution: the message is in the address, where its line ends stay as they are."""

    access_post = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, resolutions: ErrorResolutions, clock: Clock) -> None:
        self.pages = pages
        self._door = door
        self._resolutions = resolutions
        self._clock = clock

    @page
    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Call an error resolved, and lead back to where the button was."""
        await self._door.form(req)
        listed = await self._door.site(self.access_post, site, req)
        site_id, message = listed.site.site_id, _message(req.params)
        view = read_view(req, f"/sites/{site_id}", self._clock.now())
        await self._resolutions.resolve(site_id, message, await self._door.cause(req))
        raise falcon.HTTPSeeOther(_origin(view, req.get_param("then"), message))


def _message(parameters: Mapping[str, Any]) -> str:
    message = str(parameters.get("message", ""))
    if fault := text_fault(message, maximum=MAX_ERROR_MESSAGE):
        raise Invalid({"message": [fault]})
    return message


def _origin(view: View, then: str | None, message: str) -> str:
    if then == "errors":
        return view.address("/panels/errors")
    if then == "occurrences":
        return view.address("/panels/occurrences", message=message)
    return view.address() + "#errors"
