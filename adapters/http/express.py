"""The short way to POST /api/track: a request that a server has as a whole, answered without a framework in between.

It is the endpoint that everything lives on, and going through ASGI and Falcon costs more than judging an event. What
comes in pieces, or asks for anything unusual, goes the long way and gets the same answer there: both use `Tracker`.
"""

import time
from collections.abc import Awaitable, Mapping
from typing import Any

import falcon
from attrs import frozen

from footfall.adapters.http.answers import STANDING_HEADERS, encode
from footfall.adapters.http.failures import internal_error
from footfall.adapters.http.middleware import Record
from footfall.adapters.http.patience import Application, Event, Receive
from footfall.adapters.http.requests import ClientAddress, RequestIds
from footfall.adapters.http.tracker import TRACKING_HEADERS, Tracker, sender_of
from footfall.adapters.http.verdicts import Reply

EXPRESS_PATH = "/api/track"


class Express:
    """Answers whole requests for `EXPRESS_PATH`, bytes in and bytes out."""

    def __init__(
        self, tracker: Tracker, client_address: ClientAddress, request_ids: RequestIds, record: Record
    ) -> None:
        self._tracker = tracker
        self._client_address = client_address
        self._request_ids = request_ids
        self._record = record

    async def answer(self, headers: Mapping[str, str], body: bytes, peer: str) -> tuple[bytes, bytes]:
        """Return the head of the answer, without the empty line that ends it, and its body.

        `headers` have their names in lower case, each at most once; `peer` is the address that is connected.
        """
        started = time.perf_counter()
        request_id = self._request_ids.named(headers.get("x-request-id"))
        try:
            address = self._client_address.behind(peer, headers.get("x-forwarded-for"))
            reply = await self._tracker.event(body, sender_of(headers.get, address))
        except Exception as error:  # noqa: BLE001 - nobody else answers here
            failed = encode(internal_error(error, request_id))
            reply = Reply(falcon.HTTP_500, failed, {"Cache-Control": "no-store"})
        self._record.answered(
            request_id, "POST", EXPRESS_PATH, int(reply.status[:3]), time.perf_counter() - started
        )
        return _head(reply, request_id), reply.body


_COMMON = "".join(f"{name}: {value}\r\n" for name, value in {**STANDING_HEADERS, **TRACKING_HEADERS}.items())


def _head(reply: Reply, request_id: str) -> bytes:
    own = "".join([f"{name}: {value}\r\n" for name, value in reply.headers.items()]) if reply.headers else ""
    return (
        f"HTTP/1.1 {reply.status}\r\nX-Request-Id: {request_id}\r\n{_COMMON}{own}"
        f"Content-Length: {len(reply.body)}\r\n"
    ).encode("latin-1")


@frozen
class Front:
    """What a worker answers with: an ASGI application, and the short way past it for a server that can go it."""

    application: Application
    express: Express

    def __call__(self, scope: Event, receive: Receive, send: Any) -> Awaitable[None]:
        """Go the long way."""
        return self.application(scope, receive, send)
