"""POST /api/identify, which published libraries for browsers call when a user signs in (docs/track/browser.md)."""

from collections.abc import Mapping
from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.cors import cors_headers, preflight_headers
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object, read_body
from footfall.adapters.http.wire.failures import answer
from footfall.application.access.authorization import Access
from footfall.application.ingestion.payload_rules import NO_REFERENCE, TEXTS, reference_of
from footfall.domain.exceptions import Invalid

_LONGEST = TEXTS["user_id"]


class Identify:
    """Says yes and keeps nothing: each event carries the id of its user, and traits of people are not stored."""

    access_post = Access.OPEN
    access_options = Access.OPEN

    async def on_options(self, req: Request, resp: Response) -> None:
        """Answer a browser's preflight."""
        resp.set_headers(preflight_headers(req.get_header("Origin"), "POST, OPTIONS"))
        resp.status = falcon.HTTP_204

    async def on_post(self, req: Request, resp: Response) -> None:
        """Check the form of the body, and say that traits are not kept."""
        resp.set_headers(cors_headers(req.get_header("Origin")))
        try:
            body = decode_object(await read_body(req))
        except NotAnObject as fault:
            raise falcon.HTTPBadRequest(title="Invalid request", description=str(fault)) from None
        if field_errors := _errors(body):
            raise Invalid(field_errors)
        answer(resp, falcon.HTTP_200, {"success": True, "message": "Traits are not kept"})


def _errors(body: Mapping[str, Any]) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    site_id, user_id = body.get("site_id"), body.get("user_id")
    if reference_of(site_id) is None:
        errors["site_id"] = [NO_REFERENCE]
    if not isinstance(user_id, str) or not 0 < len(user_id) <= _LONGEST:
        errors["user_id"] = [f"must be a string of 1 to {_LONGEST} characters"]
    if not isinstance(body.get("traits"), dict | None):
        errors["traits"] = ["must be an object"]
    return errors
