"""GET /api/sites/<site_id>/history: the changes of a site, its goals and its private link."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.context import credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.parameters import page_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.application.journal.history import History
from footfall.application.ports.accounts.people import People
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 20


@frozen
class SiteHistory(Resource):
    """The changes of a site from the journal, the newest first."""

    access_get = Access.ADMIN

    _history: History
    _people: People

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the history."""
        record = await self._gatekeeper.site(self.access_get, site, credentials(req))
        page = page_of(req, size=PAGE_SIZE)
        entries = (await self._history.of_site(record.site.site_id))[::-1]
        shown = page.of(entries)
        people = await self._people.of(entry.actor.user_id for entry in shown if entry.actor.user_id)
        names = {user_id: person.name for user_id, person in people.items()}
        data = [
            entry.document(instant_text) | {"userName": names.get(entry.actor.user_id or "")}
            for entry in shown
        ]
        answer(resp, falcon.HTTP_200, {"data": data, "meta": page_meta(page, len(entries))})
