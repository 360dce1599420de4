"""The short way to POST /api/track: a request that a server has as a whole, answered without a framework in between.

It is the endpoint that everything lives on, and going through ASGI and Falcon costs more than judging an event. What
comes in pieces, or asks for anything unusual, goes the long way and gets the same answer there: both use `Tracker`.
"""

import time
from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from typing import Any

import falcon
from attrs import frozen

from footfall.adapters.http.answers import JSON_TYPE, STANDING_HEADERS, encode, failure
from footfall.adapters.http.failures import internal_error
from footfall.adapters.http.middleware import NO_METHOD, NO_ROUTE, Record
from footfall.adapters.http.patience import Application, Event, Receive
from footfall.adapters.http.requests import ClientAddress, RequestIds
from footfall.adapters.http.tracker import TRACKING_HEADERS, Tracker, sender_of
from footfall.adapters.http.verdicts import Reply

EXPRESS_PATH = "/api/track"
_MOST_QUOTED = 200


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
        return _head(reply, request_id, _TRACKING), reply.body

    def refused(self, status: int, fault: str) -> tuple[bytes, bytes]:
        """Return head and body of the answer to what is no request, and record it."""
        request_id = self._request_ids.named(None)
        self._record.answered(request_id, NO_METHOD, NO_ROUTE, status, 0.0)
        return _refusal(status, fault, request_id)

    def refusal(self, status: int, fault: str) -> tuple[bytes, bytes]:
        """Return head and body of the answer to a request that somebody else records."""
        return _refusal(status, fault, self._request_ids.named(None))


def _lines(headers: Mapping[str, str]) -> str:
    return "".join([f"{name}: {value}\r\n" for name, value in headers.items()])


_TRACKING = _lines({**STANDING_HEADERS, **TRACKING_HEADERS})
_REFUSING = _lines({**STANDING_HEADERS, "Content-Type": JSON_TYPE, "Cache-Control": "no-store"})


def _refusal(status: int, fault: str, request_id: str) -> tuple[bytes, bytes]:
    # A fault can quote what was sent.
    body = encode(failure(HTTPStatus(status).phrase, form_errors=[fault[:_MOST_QUOTED]]))
    reply = Reply(falcon.code_to_http_status(status), body, {})
    return _head(reply, request_id, _REFUSING), body


def _head(reply: Reply, request_id: str, common: str) -> bytes:
    own = _lines(reply.headers) if reply.headers else ""
    return (
        f"HTTP/1.1 {reply.status}\r\nX-Request-Id: {request_id}\r\n{common}{own}"
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
