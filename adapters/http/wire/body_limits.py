"""The edge of the application: a request's body is read as a whole, in time and within its limit, before it is used."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from typing import Any

import falcon
from attrs import define, field, frozen

from footfall.adapters.http.wire.bodies import MAX_BATCH_BODY, MAX_BODY, MAX_ENVELOPE, MAX_UPLOAD_BODY
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import METHODS, NO_METHOD, NO_ROUTE, Record
from footfall.adapters.http.wire.request_heads import EdgeRefusal, head_fault
from footfall.adapters.http.wire.responses import JSON_TYPE, STANDING_HEADERS, encode, failure

BATCH_PATH = "/api/track/batch"
UMAMI_BATCH_PATH = "/api/batch"
_BATCHES = frozenset({BATCH_PATH, UMAMI_BATCH_PATH})
ENVELOPE_PATH, STORE_PATH = "/api/{project}/envelope/", "/api/{project}/store/"
_ENVELOPES = ("/envelope/", "/store/")
# Uploads of source maps: only these bodies may be large, and they are read after the credential was checked.
_UPLOADS = (
    ("PUT", re.compile(r"/api/sites/[^/]+/source-maps")),
    ("POST", re.compile(r"/sites/[^/]+/source-maps")),
)
BODY_SECONDS = 30.0
LEFTOVER_SECONDS = 10.0
TOO_LARGE = "Payload too large"

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Event, Receive, Send], Awaitable[None]]

_NOTHING_YET: Event = {"type": "http.request", "body": b"", "more_body": True}
_INCOMPLETE = EdgeRefusal(
    408, encode(failure("Request timeout", form_errors=["The body did not come as a whole"]))
)
_CLOSE = (b"connection", b"close")


class BodyIncomplete(Exception):
    """The connection ended, or the time was over, before the body had come as a whole."""


@frozen
class WholeBodies:
    """An ASGI application that hands each body to another one in one piece, and no body that did not end.

    A body over the limit is not handed on: `receive` raises HTTPContentTooLarge, so that each route refuses it in its
    own form. A request whose body did not come as a whole is refused here; the other application never sees it.
    """

    application: Application
    request_ids: RequestIds
    record: Record
    body_seconds: float = BODY_SECONDS
    leftover_seconds: float = LEFTOVER_SECONDS

    async def __call__(self, scope: Event, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        if not isinstance(scope["headers"], list):
            # The protocol allows iterators, which can be read once.
            scope = {**scope, "headers": [tuple(line) for line in scope["headers"]]}
        if (fault := head_fault(scope)) is not None:
            await self._refuse(scope, receive, send, fault)
        elif _is_upload(scope):
            await self._on_demand(scope, receive, send)
        else:
            await self._at_once(scope, receive, send)

    async def _at_once(self, scope: Event, receive: Receive, send: Send) -> None:
        leftover = _Leftover(receive, self.leftover_seconds)
        try:
            body = await whole_body(scope, leftover.receive, self.body_seconds)
        except BodyIncomplete:
            await self._answer(scope, send, _INCOMPLETE)
        except falcon.HTTPContentTooLarge:
            await self.application(scope, _too_large(), leftover.read_before(scope, send))
            await leftover.read()
        else:
            await self.application(scope, _in_one_piece(body, receive), send)

    async def _on_demand(self, scope: Event, receive: Receive, send: Send) -> None:
        """Read the body when the application asks for it: it asks nothing of callers whom it refuses."""
        leftover = _Leftover(receive, self.leftover_seconds)
        body = _BodyOnDemand(scope, leftover.receive, self.body_seconds)
        refuse = leftover.read_before(scope, send)

        async def send_on(event: Event) -> None:
            leftover.ended |= body.failed
            await (send if body.ended else refuse)(event)

        await self.application(scope, body.receive, send_on)
        if not body.ended:
            await leftover.read()

    async def _refuse(self, scope: Event, receive: Receive, send: Send, fault: EdgeRefusal) -> None:
        await self._answer(scope, send, fault)
        await _Leftover(receive, self.leftover_seconds).read()

    async def _answer(self, scope: Event, send: Send, refusal: EdgeRefusal) -> None:
        request_id = self.request_ids.named(_given_id(scope))
        method = scope["method"] if scope["method"] in METHODS else NO_METHOD
        self.record.answered(request_id, method, NO_ROUTE, refusal.status, 0.0)
        headers = {**STANDING_HEADERS, "X-Request-Id": request_id, "Content-Type": JSON_TYPE}
        headers |= {"Cache-Control": "no-store", "Content-Length": str(len(refusal.body))}
        lines = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": refusal.status, "headers": [*lines, _CLOSE]})
        await send({"type": "http.response.body", "body": refusal.body})


async def whole_body(scope: Event, receive: Receive, seconds: float) -> bytes:
    """Return the body of a request.

    The server bounds the wait for the first piece (gunicorn's `timeout`); `seconds` bounds that of all pieces together.

    Raises:
        HTTPContentTooLarge: the body is longer than its path allows, whether or not it says so.
        BodyIncomplete: it did not come as a whole.

    """
    maximum = _maximum(scope)
    announced = _announced(scope)
    if announced is not None and announced > maximum:
        raise falcon.HTTPContentTooLarge(title=TOO_LARGE)
    until = asyncio.get_running_loop().time() + seconds
    body, more = _piece(await receive())
    if more:
        body = await _completed(body, receive, maximum, until)
    if len(body) > maximum:
        raise falcon.HTTPContentTooLarge(title=TOO_LARGE)
    if announced is not None and announced != len(body):
        raise BodyIncomplete
    return body


def _maximum(scope: Event) -> int:
    if scope["path"] in _BATCHES:
        return MAX_BATCH_BODY
    if scope["path"].endswith(_ENVELOPES):
        return MAX_ENVELOPE
    return MAX_UPLOAD_BODY if _is_upload(scope) else MAX_BODY


def _is_upload(scope: Event) -> bool:
    return any(scope["method"] == method and path.fullmatch(scope["path"]) for method, path in _UPLOADS)


async def _completed(begun: bytes, receive: Receive, maximum: int, until: float) -> bytes:
    pieces, size, more = [begun], len(begun), True
    try:
        async with asyncio.timeout_at(until):
            while more and size <= maximum:
                piece, more = _piece(await receive())
                pieces.append(piece)
                size += len(piece)
    except TimeoutError:
        raise BodyIncomplete from None
    return b"".join(pieces)


def _piece(event: Event) -> tuple[bytes, bool]:
    if event["type"] != "http.request":
        raise BodyIncomplete
    return event.get("body", b""), event.get("more_body", False)


def _given_id(scope: Event) -> str | None:
    headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-request-id"]
    return ",".join(headers) if headers else None


def _announced(scope: Event) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)
    return None


async def handed_on(receive: Receive) -> bytes:
    """Return the body that WholeBodies hands to an application.

    Raises:
        HTTPContentTooLarge: the body is longer than its path allows.

    """
    event = await receive()
    while event["more_body"]:
        event = await receive()
    body: bytes = event["body"]
    return body


@define
class _BodyOnDemand:
    _scope: Event
    _receive: Receive
    _seconds: float
    _begun: bool = field(default=False, init=False)
    ended: bool = field(default=False, init=False)
    failed: bool = field(default=False, init=False)

    async def receive(self) -> Event:
        # Falcon asks for a first piece before it looks at a request.
        if not self._begun:
            self._begun = True
            return _NOTHING_YET
        if self.ended:
            return await self._receive()
        try:
            body = await whole_body(self._scope, self._receive, self._seconds)
        except BodyIncomplete:
            self.failed = True
            raise falcon.HTTPError(
                falcon.HTTP_408, title="Request timeout", description="The body did not come as a whole"
            ) from None
        self.ended = True
        return {"type": "http.request", "body": body, "more_body": False}


def _in_one_piece(body: bytes, receive: Receive) -> Receive:
    whole: Event | None = {"type": "http.request", "body": body, "more_body": False}

    async def receive_whole() -> Event:
        nonlocal whole
        if whole is None:
            return await receive()
        event, whole = whole, None
        return event

    return receive_whole


def _too_large() -> Receive:
    # Falcon asks for a first piece before it looks at a request; no error handler applies there yet.
    begun = False

    async def refuse() -> Event:
        nonlocal begun
        if begun:
            raise falcon.HTTPContentTooLarge(title=TOO_LARGE)
        begun = True
        return _NOTHING_YET

    return refuse


def _asks_first(scope: Event) -> bool:
    return any(name == b"expect" for name, _ in scope["headers"])


@define
class _Leftover:
    """What is still to come of a body that was refused: it is read for a while, and thrown away.

    A socket that is closed while something comes in is reset, and its sender would not see the answer. Proxies written
    in Go end the connection to the sender as soon as they have an answer, so the answer comes after the body; a sender
    that asks first (`Expect: 100-continue`) is answered before it. Behind the end of a body the server would wait for
    the end of the connection.
    """

    _receive: Receive
    _seconds: float
    ended: bool = field(default=False, init=False)

    def read_before(self, scope: Event, send: Send) -> Send:
        """Return the `send` of an answer that waits for the body and closes the connection."""

        async def send_and_close(event: Event) -> None:
            if event["type"] == "http.response.start":
                if not _asks_first(scope):
                    await self.read()
                event = {**event, "headers": [*event["headers"], _CLOSE]}
            await send(event)

        return send_and_close

    async def receive(self) -> Event:
        """Return what the server gives, and note where the body ends."""
        event = await self._receive()
        self.ended |= not event.get("more_body", False)
        return event

    async def read(self) -> None:
        """Read to the end of the body or of the time, once."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                while not self.ended:
                    await self.receive()
        self.ended = True
