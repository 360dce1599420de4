"""The list of sites with their visitors, and the form that adds one."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import exact, moment
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.panels.files import check_file_type, save
from footfall.adapters.web.reports.trends import HEIGHT, Trend, deploy_lines, deploy_words
from footfall.adapters.web.reports.view import REACHES
from footfall.adapters.web.session.access import Viewer
from footfall.adapters.web.session.forms import Form
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import OrganizationRecord
from footfall.application.languages.language import marked, tr
from footfall.application.reports.all_sites import SiteVisitors, parse_site_query
from footfall.application.reports.tables import MAX_ROWS, all_sites_table
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page, parse_page
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.configuration import ConfigChanges
from footfall.domain.traffic.online.recent_visitors import HOURS, RecentDays, RecentSpan, RecentVisitors

PAGE_SIZE = 60
SORT_LABELS = marked(
    {"visitors": "Most visitors", "change": "Largest change", "name": "Name", "createdAt": "Newest"}
)
_PARAMETERS = ("search", "sort", "organization", "page", "period")
SPAN_LABELS = marked({RecentSpan.DAY: "24 hours", RecentSpan.WEEK: "7 days", RecentSpan.MONTH: "30 days"})


@frozen
class _Group:
    """An organization with one page of its sites."""

    organization: OrganizationRecord
    sites: Sequence[SiteVisitors]
    page: Page
    total: int

    @property
    def last(self) -> int:
        """The number of the last site that is shown."""
        return self.page.offset + len(self.sites)


@frozen
class SitesPage(ShowsRefusedForms, DashboardPage):
    """GET /sites: the sites of the signed-in user; POST adds a site."""

    access_get = access_post = Access.USER

    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the sites by organization."""
        await self._access.caller(req)
        await self._show(req, resp, falcon.HTTP_200, form={}, done=req.get_param("done"))

    async def on_post(self, req: Request, resp: Response) -> None:
        """Add a site and redirect to its tracking snippet."""
        form = await self._access.form(req)
        organization_id = form.text("organization")
        await self._access.authorize_organization(Access.ADMIN, organization_id, req)
        try:
            site_id = await self._services.commands.sites.register(
                organization_id,
                name=form.text("name"),
                domain=form.text("domain"),
                created_by=form.context.actor.user_id or "",
                context=form.context,
                changes=_changes(form),
            )
        except Invalid as refusal:
            errors = refusal.field_errors
            await self._show(req, resp, falcon.HTTP_400, form=form.values, done=None, field_errors=errors)
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/install")

    async def _show(self, req: Request, resp: Response, status: str, **values: Any) -> None:
        viewer = await self._access.viewer(req)
        parameters = _parameters(req)
        query = parse_site_query(parameters)
        listing = await self._services.all_sites.read(() if viewer is None else viewer.sites, query)
        await self.renderer.render(
            req,
            resp,
            "sites.html",
            status=status,
            viewer=viewer,
            groups=[] if viewer is None else _groups(viewer, listing.sites, parameters),
            query=query,
            sorts=SORT_LABELS,
            reaches=REACHES,
            spans=SPAN_LABELS,
            sparkline=lambda row: self._sparkline(row, listing.days),
            away=any(row.recent is None for row in listing.sites),
            missing=listing.missing,
            **values,
        )

    def _sparkline(self, row: SiteVisitors, days: RecentDays) -> Trend | None:
        if row.recent is None:
            return None
        site = row.record.site
        deploys = self._services.directory.known_deploys(site.site_id, days.period)
        return sparkline(row.recent, days, deploys, site.zone)


@frozen
class SitesFile(DashboardPage):
    """GET /organizations/<organization_id>/sites/<csv or json>: the sites of the list as a file."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, organization: str, file_type: str) -> None:
        """Answer with the first 10,000 sites in the order of the list."""
        caller = await self._access.authorize_organization(self.access_get, organization, req)
        check_file_type(file_type)
        query = parse_site_query(_parameters(req))
        records = self._services.directory.sites_for(caller.user_id, organization)
        listing = await self._services.all_sites.read(records, query)
        save(resp, all_sites_table(listing.sites[:MAX_ROWS]), file_type, f"sites-{query.span}")


def sparkline(
    recent: RecentVisitors, days: RecentDays, deploys: Sequence[Annotation], zone: ZoneInfo
) -> Trend:
    """Return the visitors of each part, a unit between two of them, with the deploys of the days, ascending."""
    most = max(recent.parts)
    heights = [round(HEIGHT - HEIGHT * visitors / most, 1) if most else HEIGHT for visitors in recent.parts]
    line = "".join(f"L{number} {height:g}" for number, height in enumerate(heights))[1:]
    count = len(recent.parts)
    by_time = (
        marked("Visitors by hour, the last {count} hours. Highest {most}, latest {latest}")
        if count == HOURS
        else marked("Visitors by day, the last {count} days. Highest {most}, latest {latest}")
    )
    words = tr(by_time, count=count, most=exact(most), latest=exact(recent.parts[-1]))
    starts = [period.start for period in days.parts]
    words += deploy_words(deploys, lambda at: moment(at, zone))
    return Trend(f"M{line}", count - 1, words, deploy_lines(deploys, starts))


def _parameters(req: Request) -> Mapping[str, str]:
    return {name: text for name in _PARAMETERS if (text := req.get_param(name))}


def _groups(viewer: Viewer, sites: Sequence[SiteVisitors], parameters: Mapping[str, str]) -> list[_Group]:
    """Return the organizations, or the one that the address names, with a page of their sites.

    Raises:
        Invalid: the number of the page is not valid.

    """
    page = parse_page({"page": parameters.get("page", "1")}, size=PAGE_SIZE)
    shown = parameters.get("organization")
    groups = []
    for record in viewer.organizations:
        number = record.organization.organization_id
        if shown in (None, number):
            own = [row for row in sites if row.record.site.organization_id == number]
            groups.append(_Group(record, page.of(own), page, len(own)))
    return groups


def _changes(form: Form) -> ConfigChanges:
    """Return how far visitors are recognized, and the time zone of the browser if this machine knows it."""
    changed: dict[str, Any] = {"visitor_reach": form.text("visitorReach") or None}
    with suppress(Invalid):
        changed["time_zone"] = parse_zone(form.text("timeZone")).key
    return ConfigChanges(**changed)
