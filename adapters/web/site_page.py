"""A site's page: figures, a chart and panels, for members, for bearers of the private link, or for everybody."""

from typing import Any

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.charts import chart
from footfall.adapters.web.door import Door, Viewer
from footfall.adapters.web.pages import Pages, guard, let_embed, page
from footfall.adapters.web.panels import PanelContents, Reports, listed_panels
from footfall.adapters.web.view import METRICS, PERIODS, View, is_embedded, read_view
from footfall.application.access import Access
from footfall.application.directory import ListedSite
from footfall.application.ports import Clock


@frozen
class Looking:
    """How a request came to the page: which site, what of it, by the private link or not, and who looks.

    Nobody in particular looks by a private link or from a frame, whoever may be signed in: what is seen there is
    what everybody sees.
    """

    listed: ListedSite
    view: View
    shared: bool
    viewer: Viewer | None

    @property
    def member(self) -> bool:
        """Whether a member looks, who sees more than the numbers."""
        return self.viewer is not None and self.listed in self.viewer.sites


class Entrance:
    """Lets readers of a site in, whichever way they come."""

    def __init__(self, door: Door, clock: Clock) -> None:
        self._door = door
        self._clock = clock

    async def enter(self, access: Access, req: Request, site: str, key: str | None) -> Looking:
        """Return what the request may look at.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied, LinkNotFound: as the door does.
            Invalid: the address asks for something that cannot be.

        """
        if key is not None:
            listed = await self._door.shared_site(access, site, key)
            return self._looking(req, listed, f"/share/{site}/{key}")
        if is_embedded(req):
            listed = await self._door.public_site(access, site)
            return self._looking(req, listed, f"/sites/{listed.site.site_id}")
        listed = await self._door.site(access, site, req)
        looking = self._looking(req, listed, f"/sites/{listed.site.site_id}")
        return evolve(looking, viewer=await self._door.viewer(req))

    def _looking(self, req: Request, listed: ListedSite, base: str) -> Looking:
        view = read_view(req, base, self._clock.now())
        return Looking(listed, view, shared=base.startswith("/share/"), viewer=None)


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
            viewer=looking.viewer,
            member=looking.member,
            periods=PERIODS,
            metrics=METRICS,
            panels=listed_panels(),
            today=looking.view.local(self._clock.now()).date(),
            **values,
        )
        _open_to_others(resp, looking)

    async def _numbers(self, looking: Looking) -> dict[str, Any]:
        view, site_id, traffic = looking.view, looking.listed.site.site_id, self._reports.traffic
        at = self._clock.now()
        now = await traffic.overview(site_id, view.window.period, view.filters)
        before = await traffic.overview(site_id, view.before(at), view.filters) if view.compares else None
        known = view.compares and view.knows_before(await traffic.data_since(site_id))
        online = await self._reports.breakdowns.realtime(site_id, at)
        empty = not now.sessions and await self._reports.breakdowns.latest_hit(site_id) is None
        drawn = await chart(traffic, site_id, view, at, compares=known)
        return {
            "now": now,
            "before": before,
            "known": known,
            "online": online,
            "empty": empty,
            "chart": drawn,
        }


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
        values |= {"name": panel, "view": looking.view, "listed": looking.listed}
        values |= {"viewer": looking.viewer, "member": looking.member, "done": req.get_param("done")}
        if part:
            self.pages.fragment(resp, template, whole=False, **values)
            return
        await self.pages.show(req, resp, "panel_page.html", content=template, whole=True, **values)
        _open_to_others(resp, looking)


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


def _open_to_others(resp: Response, looking: Looking) -> None:
    if looking.shared:
        # The address holds the key: the links of the page tell it nobody, and no search engine keeps it.
        resp.set_header("X-Robots-Tag", "noindex")
    if looking.view.embedded:
        let_embed(resp, looking.listed.site.config.embed_origins)
