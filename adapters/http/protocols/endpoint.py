"""What the endpoints of foreign protocols share: any origin, bodies of any content type, answers in their words."""

from collections.abc import Mapping
from typing import ClassVar, Protocol

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.cors import cors_headers, preflight_headers
from footfall.adapters.http.tracking.responses import HttpReply
from footfall.adapters.http.tracking.tracking_requests import Header, request_origin
from footfall.adapters.http.wire.bodies import read_body
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.responses import JSON_TYPE
from footfall.application.access.authorization import Access
from footfall.application.ingestion.draft import RequestOrigin

_METHODS = "POST, OPTIONS"


@frozen
class ForeignRequest:
    """A request in a foreign protocol; `names` are the variable parts of its path."""

    body: bytes
    origin: RequestOrigin
    header: Header
    names: Mapping[str, str]


class Translation(Protocol):
    """A protocol: it tracks what a request brings, and answers as its clients expect.

    `request_headers` are those that its clients send from pages besides `Content-Type`.
    """

    request_headers: ClassVar[tuple[str, ...]]

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track what the request brings; headers of the answer take precedence over those of JSON."""

    def too_large(self, origin: RequestOrigin) -> HttpReply:
        """Count and refuse a body that is over its limit."""


@frozen
class ForeignEndpoint:
    """The endpoint of a foreign protocol, which every page may send to."""

    access_post = Access.OPEN
    access_options = Access.OPEN

    _translation: Translation
    _client_address: ClientAddress

    async def on_options(self, req: Request, resp: Response, **_names: str) -> None:
        """Answer a browser's preflight: any origin, with credentials too."""
        more = self._translation.request_headers
        resp.set_headers(preflight_headers(req.get_header("Origin"), _METHODS, *more))
        resp.status = falcon.HTTP_204

    async def on_post(self, req: Request, resp: Response, **names: str) -> None:
        """Track what the body says."""
        # Before anything can fail, so that a page can read failures too.
        resp.content_type = JSON_TYPE
        resp.set_headers(cors_headers(req.get_header("Origin")))
        origin = request_origin(req.get_header, self._client_address.of(req))
        try:
            body = await read_body(req)
        except falcon.HTTPContentTooLarge:
            reply = self._translation.too_large(origin)
        else:
            reply = await self._translation.answer(ForeignRequest(body, origin, req.get_header, names))
        resp.status = reply.status
        resp.set_headers(reply.headers)
        resp.data = reply.body
