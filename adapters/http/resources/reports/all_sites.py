"""All sites of an organization with their visitors, over HTTP (docs/read/reports.md#all-sites)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.parameters import PAGING, refuse_unknown
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_context import INCOMPLETE
from footfall.adapters.http.wire.responses import CSV_TYPE, JSON_TYPE
from footfall.application.access.authorization import Access
from footfall.application.journal.directory import Directory
from footfall.application.reports.all_sites import AllSitesReader, SiteVisitors, parse_site_query
from footfall.application.reports.tables import MAX_ROWS, all_sites_table
from footfall.domain.pagination import MAX_PAGE_SIZE, parse_page
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors

PAGE_SIZE = 100


@frozen
class AllSitesOverview(Resource):
    """GET /api/organizations/<organization_id>/overview."""

    access_get = Access.VIEWER

    _directory: Directory
    _all_sites: AllSitesReader

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Answer with one page of the sites that the caller may see, with their visitors of the last hours or days."""
        caller = await self._gatekeeper.organization(self.access_get, organization, credentials(req))
        refuse_unknown(req, PAGING | {"search", "sort", "order", "period"})
        texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
        csv = req.client_prefers((JSON_TYPE, CSV_TYPE)) == CSV_TYPE
        size, largest = (MAX_ROWS, MAX_ROWS) if csv else (PAGE_SIZE, MAX_PAGE_SIZE)
        page = parse_page(texts, size=size, size_names=("limit", "page_size"), maximum=largest)
        query = parse_site_query(texts)
        records = self._directory.sites_for(caller.user_id, organization)
        listing = await self._all_sites.read(records, query)
        if listing.missing:
            resp.set_header(INCOMPLETE, str(listing.missing))
        if csv:
            answer_csv(resp, all_sites_table(page.of(listing.sites)))
            return
        data = [_body(row, listing.days) for row in page.of(listing.sites)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(listing.sites))})


def _body(row: SiteVisitors, days: RecentDays) -> dict[str, Any]:
    site, recent = row.record.site, row.recent
    return {
        "id": site.public_id,
        "siteId": site.site_id,
        "name": site.name,
        "domain": site.domain,
        "visitors": recent.visitors if recent else None,
        "previous": {"visitors": recent.before} if recent else None,
        "change": recent.change if recent else None,
        "timeseries": _points(recent, days) if recent else [],
    }


def _points(recent: RecentVisitors, days: RecentDays) -> list[dict[str, Any]]:
    return [
        {"time": instant_text(part.start), "visitors": visitors}
        for part, visitors in zip(days.parts, recent.parts, strict=True)
    ]
