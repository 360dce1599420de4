"""POST /api/track and /api/track/batch (docs/track/ingestion.md)."""

from collections.abc import Awaitable, Callable

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.tracking.cors import cors_headers, preflight_headers
from footfall.adapters.http.tracking.responses import HttpReply
from footfall.adapters.http.tracking.tracking_requests import Tracker, request_origin
from footfall.adapters.http.wire.bodies import read_body
from footfall.adapters.http.wire.body_limits import TOO_LARGE
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.responses import JSON_TYPE
from footfall.application.access.authorization import Access
from footfall.application.ingestion.draft import RequestOrigin

_METHODS = "POST, OPTIONS"


class _Tracking:
    """Behaviour of both endpoints: any origin, and JSON bodies of any content type."""

    access_post = Access.OPEN
    access_options = Access.OPEN

    def __init__(
        self,
        track: Callable[[bytes, RequestOrigin], Awaitable[HttpReply]],
        tracker: Tracker,
        client_address: ClientAddress,
    ) -> None:
        self._track = track
        self._tracker = tracker
        self._client_address = client_address

    async def on_options(self, req: Request, resp: Response) -> None:
        """Answer a browser's preflight: any origin, with credentials too."""
        resp.set_headers(preflight_headers(req.get_header("Origin"), _METHODS))
        resp.status = falcon.HTTP_204

    async def on_post(self, req: Request, resp: Response) -> None:
        """Track the events of the body."""
        # Before anything can fail, so that a page can read failures too.
        resp.content_type = JSON_TYPE
        resp.set_headers(cors_headers(req.get_header("Origin")))
        origin = request_origin(req.get_header, self._client_address.of(req))
        try:
            reply = await self._track(await read_body(req), origin)
        except falcon.HTTPContentTooLarge:
            reply = self._tracker.unreadable(origin, falcon.HTTP_413, TOO_LARGE)
        resp.status = reply.status
        resp.set_headers(reply.headers)
        resp.data = reply.body


class Track(_Tracking):
    """One tracking event; in the service, `HotPath` in front of the framework answers its POST."""

    def __init__(self, tracker: Tracker, client_address: ClientAddress) -> None:
        super().__init__(tracker.event, tracker, client_address)


class TrackBatch(_Tracking):
    """Several tracking events in one request, for senders with a key."""

    def __init__(self, tracker: Tracker, client_address: ClientAddress) -> None:
        super().__init__(tracker.batch, tracker, client_address)
