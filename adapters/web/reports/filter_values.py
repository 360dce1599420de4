"""Values for filters while they are typed, and the filter that is meant, for the script of the dashboard."""

from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import page
from footfall.adapters.web.reports.panels.inquiries import query_of
from footfall.adapters.web.reports.report_request import ReportPage
from footfall.adapters.web.reports.typed_filters import TypedFilters
from footfall.adapters.web.security_headers import set_security_headers
from footfall.application.access.authorization import Access
from footfall.domain.row_choice import parse_search
from footfall.domain.traffic.breakdown import DIMENSIONS, parse_dimension


@frozen
class FilterValues(ReportPage):
    """GET …/values: values of a dimension that contain a text, the most frequent of the view first."""

    access_get = Access.READER

    @page
    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with at most ten values, and the names of those that are codes."""
        request = await self._access.authorize(self.access_get, req, site, key, past=True)
        by = parse_dimension(req.get_param("by", default=DIMENSIONS[0]))
        text = parse_search(req.get_param("search")).containing
        # Pages of the past propose values of the present, too.
        async with self._access.opened(evolve(request, as_of=None)) as answer:
            site_id, query = request.record.site.site_id, query_of(request.view)
            proposed = await TypedFilters(answer.reports.breakdowns, site_id, query).proposed(text, by)
        resp.media = {
            "values": [one.value for one in proposed],
            "labels": {one.value: one.label for one in proposed if one.label != one.value},
        }
        set_security_headers(resp)


@frozen
class MeantFilter(ReportPage):
    """GET …/values/meant: the address of the dashboard with the filter that the form for filters means."""

    access_get = Access.READER

    @page
    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with the address; null when the text means several values, or none: the dashboard says which."""
        request = await self._access.authorize_as_typed(self.access_get, req, site, key, past=True)
        typed = request.view.typed
        found = None if typed is None else (await self._access.interpreted(request, typed)).found
        resp.media = {"address": None if found is None else request.view.with_filter(found)}
        set_security_headers(resp)
