"""Values for filters and forms while they are typed, and the filter that is meant, for the scripts of the dashboard."""

from collections.abc import Sequence

from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.reports.filters.typed_filters import PROPOSED, TypedFilters
from footfall.adapters.web.reports.filters.value_matching import KnownValue
from footfall.adapters.web.reports.panels.inquiries import property_of, query_of
from footfall.adapters.web.reports.report_page import ReportPage
from footfall.adapters.web.security_headers import set_security_headers
from footfall.application.access.authorization import Access
from footfall.domain.goals.goal import event_rule
from footfall.domain.pagination import Page
from footfall.domain.row_choice import parse_search
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.breakdown import DIMENSIONS, parse_dimension
from footfall.domain.traffic.dimensions import FAMILIES, keyed
from footfall.domain.traffic.filters import GROUP_PARAMETERS
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class FilterValues(ReportPage):
    """GET …/values: values of a dimension that contain a text, the most frequent of the view first.

    Without a key, those of a family are its keys; groups of pages are in the order of their rules.
    """

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with at most ten values, and the names of those that are codes."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.OVERVIEW]
        )
        by, choice = req.get_param("by", default=DIMENSIONS[0]), parse_search(req.get_param("search"))
        if by in GROUP_PARAMETERS and request.view.shows(by):
            names = [name for name in request.record.site.page_groups.names if choice.is_in(name)]
            _answer(resp, [KnownValue(name, name) for name in names[:PROPOSED]])
            return
        family = FAMILIES.get(by)
        by = request.reader.permitted_dimension(parse_dimension(by) if family is None else family.of_key(""))
        dimension = keyed(by)
        # Pages of the past propose values of the present, too.
        async with self._access.opened(evolve(request, as_of=None)) as answer:
            site_id, query = request.record.site.site_id, query_of(request.view)
            if family is None or dimension is None:
                filters = TypedFilters(answer.reports.breakdowns, site_id, query)
                proposed = await filters.proposed(choice.containing, by)
            else:
                listed = await answer.reports.properties.keys(
                    site_id, dimension.family, query, Page(1, PROPOSED), choice=choice
                )
                proposed = [KnownValue(row.key, row.key) for row in listed.properties if row.key]
        _answer(resp, proposed)


def _answer(resp: Response, proposed: Sequence[KnownValue]) -> None:
    resp.media = {
        "values": [value.value for value in proposed],
        "labels": {value.value: value.label for value in proposed if value.label != value.value},
    }
    set_security_headers(resp)


@frozen
class MeantFilter(ReportPage):
    """GET …/values/meant: the address of the dashboard with the filter that the form for filters means."""

    access_get = Access.READER

    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with the address; null when the text means several values, or none: the dashboard says which."""
        request = await self._access.authorize(
            self.access_get, req, site, key, past=True, panels=[SharedPanel.OVERVIEW], as_typed=True
        )
        typed = request.view.typed
        filter_ = None if typed is None else (await self._access.interpreted(request, typed)).found
        resp.media = {"address": None if filter_ is None else request.view.with_filter(filter_)}
        set_security_headers(resp)


@frozen
class PropertyProposals(ReportPage):
    """GET …/values/properties: properties of an event that contain a text, or the values of one of them."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with at most ten names, or texts of values, the most frequent first."""
        request = await self._access.authorize(self.access_get, req, site, None)
        event, key = req.get_param("event", default=""), req.get_param("key")
        site_id, period, page = request.record.site.site_id, request.view.window.period, Page(1, PROPOSED)
        choice, rule = parse_search(req.get_param("search")), event_rule(event)
        async with self._access.opened(request) as answer:
            properties = answer.reports.properties
            if key is None:
                listed = await properties.properties(site_id, rule, ReportQuery(period), page, choice=choice)
                proposed = [row.key for row in listed.properties]
            else:
                # Only a property that an event can have is asked about.
                _, key = property_of({"event": event, "key": key})
                values = await properties.values(site_id, rule, key, ReportQuery(period), page, choice=choice)
                proposed = [row.value for row in values.values]
        resp.media = {"values": [text for text in proposed if text], "labels": {}}
        set_security_headers(resp)
