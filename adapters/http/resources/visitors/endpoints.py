"""The data of visitors over HTTP, for owners: given as one document, and erased (docs/read/visitor-data.md)."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.responses import JSON_TYPE
from footfall.application.access.authorization import Access
from footfall.application.visitors.document import erasure_body
from footfall.application.visitors.visitors import Visitors
from footfall.domain.exceptions import Invalid

_FIELDS = ("user_id", "visit")


@frozen
class VisitorDataOf(Resource):
    """POST /api/sites/<site_id>/visitor-data."""

    access_post = Access.OWNER

    _visitors: Visitors

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with all that is stored of a visitor; a body, since addresses are logged on the way."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        record = grant.site_record
        asked = await self._visitors.asked(record, **_named(await json_object(req)))
        resp.stream = await self._visitors.document(record.site.site_id, asked)
        resp.set_header("Cache-Control", "no-store")
        resp.content_type = JSON_TYPE


@frozen
class VisitorErasureList(Resource):
    """GET and POST /api/sites/<site_id>/visitor-erasures."""

    access_get = Access.OWNER
    access_post = Access.OWNER

    _visitors: Visitors

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the erasures of the site, the latest first."""
        grant = await self._admitted(req, self.access_get, site)
        erasures = await self._visitors.erasures(grant.site_id)
        answer(
            resp, falcon.HTTP_200, {"success": True, "data": [erasure_body(erasure) for erasure in erasures]}
        )

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Have a visitor erased."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        asked = await self._visitors.asked(grant.site_record, **_named(await json_object(req)))
        context = command_context(req, grant.actor)
        erasure = await self._visitors.erase(grant.site_id, asked, context)
        answer(resp, falcon.HTTP_202, {"success": True, "data": erasure_body(erasure)})


@frozen
class VisitorErasureDetail(Resource):
    """GET /api/sites/<site_id>/visitor-erasures/<erasure>."""

    access_get = Access.OWNER

    _visitors: Visitors

    async def on_get(self, req: Request, resp: Response, site: str, erasure: str) -> None:
        """Answer with an erasure, and its certificate when it is finished."""
        grant = await self._admitted(req, self.access_get, site)
        requested = await self._visitors.erasure(grant.site_id, erasure)
        answer(resp, falcon.HTTP_200, {"success": True, "data": erasure_body(requested)})


def _named(body: dict[str, Any]) -> dict[str, str | None]:
    """Return the fields that name a visitor.

    Raises:
        Invalid: one of them is no text.

    """
    wrong = {name: ["must be a text"] for name in _FIELDS if not isinstance(body.get(name, ""), str)}
    if wrong:
        raise Invalid(wrong)
    return {name: body.get(name) for name in _FIELDS}
