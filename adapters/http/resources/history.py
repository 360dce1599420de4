"""GET /api/sites/<site_id>/history: the changes of a site, its goals and its private link."""

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall
from footfall.adapters.http.wire.parameters import PAGING, page_of
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.application.access.authorization import Access
from footfall.domain.periods.instant_text import instant_text

PAGE_SIZE = 20
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("GET", "/history", Access.ADMIN, parameters=PAGING)
async def show_history(call: SiteCall) -> Body:
    """Answer with one page of the history, the newest change first."""
    page = page_of(call.req, size=PAGE_SIZE)
    entries = (await call.services.history.of_site(call.site_id))[::-1]
    shown = page.of(entries)
    people = await call.services.people.of(entry.actor.user_id for entry in shown if entry.actor.user_id)
    names = {user_id: person.name for user_id, person in people.items()}
    data = [
        entry.document(instant_text) | {"userName": names.get(entry.actor.user_id or "")} for entry in shown
    ]
    return {"data": data, "meta": page_meta(page, len(entries))}
