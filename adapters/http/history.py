"""GET /api/sites/<site_id>/history: who changed what of a site, its goals and its private link."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.failures import answer
from footfall.adapters.http.parameters import page_of
from footfall.adapters.http.report_bodies import page_meta
from footfall.adapters.http.requests import credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.directory import Directory
from footfall.application.history import History

PAGE_SIZE = 20


class SiteHistory:
    """The audit of a site, the newest first; the journal itself is what is read."""

    access_get = Access.ADMIN

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, history: History) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._history = history

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the history."""
        await self._directory.catch_up()
        listed = await self._gatekeeper.site(self.access_get, site, credentials(req))
        page = page_of(req, size=PAGE_SIZE)
        entries = (await self._history.of_site(listed.site.site_id))[::-1]
        data = [entry.document(timestamp) for entry in page.of(entries)]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(entries))})
