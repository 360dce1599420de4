"""The data of visitors over HTTP, for owners: given as one document, and erased (docs/read/visitor-data.md)."""

from collections.abc import AsyncIterator
from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, SiteCall, Unlisted
from footfall.application.access.authorization import Access
from footfall.application.visitors.document import erasure_body
from footfall.domain.exceptions import Invalid

_FIELDS = ("user_id", "visit")
ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("POST", "/visitor-data", Access.OWNER, parameters=Unlisted.IGNORED)
async def give_data(call: SiteCall) -> AsyncIterator[bytes]:
    """Answer with all that is stored of a visitor; a body, since addresses are logged on the way."""
    asked = await call.services.visitors.asked(call.grant.site_record, **_named(await call.body()))
    return await call.services.visitors.document(call.site_id, asked)


@ENDPOINTS.of_site("GET", "/visitor-erasures", Access.OWNER)
async def list_erasures(call: SiteCall) -> Body:
    """Answer with the erasures of the site, the latest first."""
    erasures = await call.services.visitors.erasures(call.site_id)
    return {"success": True, "data": [erasure_body(erasure) for erasure in erasures]}


@ENDPOINTS.of_site("POST", "/visitor-erasures", Access.OWNER, status=202, parameters=Unlisted.IGNORED)
async def erase(call: SiteCall) -> Body:
    """Have a visitor erased."""
    asked = await call.services.visitors.asked(call.grant.site_record, **_named(await call.body()))
    erasure = await call.services.visitors.erase(call.site_id, asked, call.context)
    return {"success": True, "data": erasure_body(erasure)}


@ENDPOINTS.of_site("GET", "/visitor-erasures/{erasure}", Access.OWNER)
async def show_erasure(call: SiteCall) -> Body:
    """Answer with an erasure, and its certificate when it is finished."""
    erasure = await call.services.visitors.erasure(call.site_id, call.path["erasure"])
    return {"success": True, "data": erasure_body(erasure)}


def _named(body: dict[str, Any]) -> dict[str, str | None]:
    """Return the fields that name a visitor.

    Raises:
        Invalid: one of them is no text.

    """
    wrong = {name: ["must be a text"] for name in _FIELDS if not isinstance(body.get(name, ""), str)}
    if wrong:
        raise Invalid(wrong)
    return {name: body.get(name) for name in _FIELDS}
