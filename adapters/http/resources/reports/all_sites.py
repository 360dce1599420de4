"""All sites of an organization with their visitors, over HTTP (docs/read/reports.md#all-sites)."""

from typing import Any

from footfall.adapters.http.resources.endpoint import ORGANIZATION, Endpoints, Result, UserCall
from footfall.adapters.http.wire.parameters import PAGING, page_of, prefers_csv, texts_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_context import INCOMPLETE
from footfall.application.access.authorization import Access
from footfall.application.reports.all_sites import SiteVisitors, parse_site_query
from footfall.application.reports.tables import MAX_ROWS, all_sites_table
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors

PAGE_SIZE = 100
_PARAMETERS = PAGING | {"search", "sort", "order", "period"}
ENDPOINTS = Endpoints()


@ENDPOINTS.of_user("GET", f"{ORGANIZATION}/overview", Access.VIEWER, parameters=_PARAMETERS)
async def show_all_sites(call: UserCall) -> Result:
    """Answer with one page of the sites that the caller may see, with their visitors of the last hours or days."""
    page = page_of(call.req, size=PAGE_SIZE, in_file=MAX_ROWS)
    query = parse_site_query(texts_of(call.req))
    records = call.services.directory.sites_for(call.caller.user_id, call.organization)
    listing = await call.services.all_sites.read(records, query)
    if listing.missing:
        call.resp.set_header(INCOMPLETE, str(listing.missing))
    if prefers_csv(call.req):
        return all_sites_table(page.of(listing.sites))
    data = [_body(row, listing.days) for row in page.of(listing.sites)]
    return {"data": data, "meta": page_meta(page, len(listing.sites))}


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
