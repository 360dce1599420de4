"""A site's page: figures, a chart and panels, for members, for bearers of the private link, or for everybody."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.charts import chart
from footfall.adapters.web.door import Door
from footfall.adapters.web.pages import Pages, guard, page
from footfall.adapters.web.panels import PanelContents, Reports, listed_panels
from footfall.adapters.web.view import METRICS, PERIODS, View, read_view
from footfall.application.access import Access
from footfall.application.directory import ListedSite
from footfall.application.ports import Clock


@frozen
class Looking:
    """How a request came to the page: which site, what of it, and whether it came by the private link."""

    listed: ListedSite
    view: View
    shared: bool


class Entrance:
    """Lets readers of a site in, whichever way they come."""

    def __init__(self, door: Door, clock: Clock) -> None:
        self._door = door
        self._clock = clock

    async def enter(self, access: Access, req: Request, site: str, key: str | None) -> Looking:
        """Return what the request may look at.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied: as the gatekeeper does.
            Invalid: the address asks for something that cannot be.

        """
        listed = await self._door.site(access, site, req, private_link=key)
        base = f"/sites/{listed.site.site_id}" if key is None else f"/share/{site}/{key}"
        return Looking(listed, read_view(req, base, self._clock.now()), shared=key is not None)

    async def role(self, req: Request, looking: Looking) -> bool:
        """Whether the viewer is a member, who sees more than the numbers."""
        viewer = None if looking.shared else await self._door.viewer(req)
        return viewer is not None and looking.listed in viewer.sites


class SitePage:
    """GET /sites/<site_id> and /share/<site_id>/<private key>."""

    access_get = Access.READER

    def __init__(self, pages: Pages, entrance: Entrance, reports: Reports, clock: Clock) -> None:
        self.pages = pages
        self._entrance = entrance
        self._reports = reports
        self._clock = clock

    @page
    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Show figures and chart; the panels are asked for when the page is there."""
        looking = await self._entrance.enter(self.access_get, req, site, key)
        await self._reports.freshness.catch_up()
        values = await self._numbers(looking)
        await self.pages.show(
            req,
            resp,
            "site.html",
            listed=looking.listed,
            view=looking.view,
            member=await self._entrance.role(req, looking),
            periods=PERIODS,
            metrics=METRICS,
            panels=listed_panels(),
            today=looking.view.local(self._clock.now()).date(),
            **values,
        )
        if looking.shared:
            _keep_quiet_about_the_key(resp)

    async def _numbers(self, looking: Looking) -> dict[str, Any]:
        view, site_id, traffic = looking.view, looking.listed.site.site_id, self._reports.traffic
        now = await traffic.overview(site_id, view.window.period, view.filters)
        before = await traffic.overview(site_id, view.window.before, view.filters) if view.compares else None
        online = await self._reports.breakdowns.realtime(site_id, self._clock.now())
        empty = not now.sessions and await self._reports.breakdowns.latest_hit(site_id) is None
        drawn = await chart(traffic, site_id, view, self._clock.now())
        return {"now": now, "before": before, "online": online, "empty": empty, "chart": drawn}


class PanelPage:
    """GET …/panels/<panel>: a part of the page, or when opened by itself a page with more of it."""

    access_get = Access.READER

    def __init__(self, pages: Pages, entrance: Entrance, contents: PanelContents) -> None:
        self.pages = pages
        self._entrance = entrance
        self._contents = contents

    @page
    async def on_get(
        self, req: Request, resp: Response, site: str, panel: str, key: str | None = None
    ) -> None:
        """Show a panel."""
        looking = await self._entrance.enter(self.access_get, req, site, key)
        part = req.get_header("Sec-Fetch-Dest") == "empty"
        template, values = await self._contents.of(
            panel, looking.listed, looking.view, req.params, whole=not part
        )
        member = await self._entrance.role(req, looking)
        values |= {"name": panel, "view": looking.view, "listed": looking.listed, "member": member}
        if part:
            self.pages.fragment(resp, template, whole=False, **values)
            return
        await self.pages.show(req, resp, "panel_page.html", content=template, whole=True, **values)
        if looking.shared:
            _keep_quiet_about_the_key(resp)


class Online:
    """GET …/online: how many are there now."""

    access_get = Access.READER

    def __init__(self, pages: Pages, entrance: Entrance, reports: Reports, clock: Clock) -> None:
        self.pages = pages
        self._entrance = entrance
        self._reports = reports
        self._clock = clock

    @page
    async def on_get(self, req: Request, resp: Response, site: str, key: str | None = None) -> None:
        """Answer with a number."""
        looking = await self._entrance.enter(self.access_get, req, site, key)
        found = await self._reports.breakdowns.realtime(looking.listed.site.site_id, self._clock.now())
        resp.media = {"visitors": found.visitors}
        resp.status = falcon.HTTP_200
        guard(resp)


def _keep_quiet_about_the_key(resp: Response) -> None:
    # The address holds the key: the links of the page tell it nobody, and no search engine keeps it.
    resp.set_header("X-Robots-Tag", "noindex")
