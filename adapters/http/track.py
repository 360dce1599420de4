"""POST /api/track and /api/track/batch (interface, section 4.5; decisions, section 1)."""

from collections.abc import Awaitable, Callable

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import MAX_BODY, BodyIncomplete, PayloadTooLarge, read_body
from footfall.adapters.http.requests import ClientAddress
from footfall.adapters.http.tracker import TRACKING_HEADERS, Tracker, sender_of
from footfall.adapters.http.verdicts import Reply
from footfall.application.access import Access
from footfall.application.judgement import Sender

MAX_BATCH_BODY = 4 * 1024 * 1024

_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
    "Access-Control-Max-Age": "86400",
}


class _Tracking:
    """What both endpoints share: any origin, and bodies of any content type that are JSON."""

    access_post = Access.OPEN
    access_options = Access.OPEN

    def __init__(
        self,
        take: Callable[[bytes, Sender], Awaitable[Reply]],
        tracker: Tracker,
        client_address: ClientAddress,
        *,
        maximum: int,
    ) -> None:
        self._take = take
        self._tracker = tracker
        self._client_address = client_address
        self._maximum = maximum

    async def on_options(self, _req: Request, resp: Response) -> None:
        """Answer a browser's preflight: any origin, without credentials."""
        resp.set_headers(_PREFLIGHT)
        resp.status = falcon.HTTP_204

    async def on_post(self, req: Request, resp: Response) -> None:
        """Take what was sent."""
        # Before anything can fail: a page may read of a failure, too.
        resp.set_headers(TRACKING_HEADERS)
        sender = sender_of(req.get_header, self._client_address.of(req))
        try:
            reply = await self._take(await read_body(req, maximum=self._maximum), sender)
        except PayloadTooLarge:
            reply = self._tracker.unreadable(sender, falcon.HTTP_413, "Payload too large")
        except BodyIncomplete as fault:
            reply = self._tracker.unreadable(sender, falcon.HTTP_408, fault.title, fault.description)
        resp.status = reply.status
        resp.set_headers(reply.headers)
        resp.data = reply.body


class Track(_Tracking):
    """The endpoint that everything lives on: one tracking event."""

    def __init__(self, tracker: Tracker, client_address: ClientAddress) -> None:
        super().__init__(tracker.event, tracker, client_address, maximum=MAX_BODY)


class TrackBatch(_Tracking):
    """Several tracking events in one request, for senders with a key."""

    def __init__(self, tracker: Tracker, client_address: ClientAddress) -> None:
        super().__init__(tracker.batch, tracker, client_address, maximum=MAX_BATCH_BODY)
