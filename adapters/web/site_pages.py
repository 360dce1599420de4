"""Pages about one site beside its numbers: how to track it, and what was decided about it."""

from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.pages import Pages, page
from footfall.application.access import Access
from footfall.application.history import History


class Install:
    """GET /sites/<site_id>/install: what to put into the pages of the site."""

    access_get = Access.MEMBER

    def __init__(self, pages: Pages, door: Door) -> None:
        self.pages = pages
        self._door = door

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the snippet."""
        listed = await self._door.site(self.access_get, site, req)
        await self.pages.show(req, resp, "install.html", listed=listed, base_url=req.forwarded_prefix)


class SiteHistory:
    """GET /sites/<site_id>/history: who changed what, when."""

    access_get = Access.ADMIN

    def __init__(self, pages: Pages, door: Door, history: History) -> None:
        self.pages = pages
        self._door = door
        self._history = history

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the journal of the site and of its goals, the newest first."""
        listed = await self._door.site(self.access_get, site, req)
        entries = (await self._history.of_site(listed.site.site_id))[::-1]
        await self.pages.show(req, resp, "history.html", listed=listed, entries=entries)
