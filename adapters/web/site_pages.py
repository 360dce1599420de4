"""Pages about one site beside its numbers: how to track it, and what was decided about it."""

from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.pages import Pages, page
from footfall.application.access import Access
from footfall.application.history import describe
from footfall.application.ports import EventStore
from footfall.application.streams import site_stream


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

    access_get = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, store: EventStore) -> None:
        self.pages = pages
        self._door = door
        self._store = store

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the journal of the site, the newest first."""
        listed = await self._door.site(self.access_get, site, req)
        recorded = await self._store.load(site_stream(listed.site.site_id))
        rows = [(one.metadata.recorded_at, describe(one)) for one in reversed(recorded)]
        await self.pages.show(req, resp, "history.html", listed=listed, rows=rows)
