"""Connections that know a short way for whole tracking events (Express); everything else goes through ASGI."""

import time
from collections.abc import Mapping
from email.utils import formatdate
from functools import lru_cache
from typing import Any

from attrs import define
from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn_h1c import H1CProtocol

from footfall.adapters.http.bodies import MAX_BODY
from footfall.adapters.http.express import EXPRESS_PATH
from footfall.entrypoints.connections import Connection

_PATH = EXPRESS_PATH.encode()
_HTTP_1_1 = (1, 1)
_HEAD_END = b"\r\n\r\n"
_UNUSUAL = frozenset({b"expect", b"upgrade", b"transfer-encoding"})
# The short way leads through these; in a gunicorn that has others in their place there is none.
_IS_THERE = hasattr(H1CProtocol, "asgi_headers") and all(
    hasattr(ASGIProtocol, name)
    for name in (
        "_feed_callback_parser",
        "_on_headers_complete",
        "_on_body",
        "_on_message_complete",
        "_serve_http_request",
        "_safe_write",
    )
)


@define(eq=False)
class WholeRequest:
    """A request that takes the short way, in the place of gunicorn's own."""

    headers: Mapping[str, str]
    body: bytes = b""

    def may_upgrade(self) -> bool:
        """Tell gunicorn that the connection stays what it is."""
        return False


class ShortWay(Connection):
    """A connection on which gunicorn's parser and loop serve all requests, but build nothing for some of them.

    A request takes the short way when all of it is in the piece that has just come, so that nobody waits on that way.
    """

    _callback_parser: Any
    _flow_control: Any
    _request_ready: Any
    _current_request: Any
    _piece: bytes = b""
    _whole: WholeRequest | None = None

    def _feed_callback_parser(self, data: bytes) -> bool:
        self._piece = data
        goes_on = super()._feed_callback_parser(data)
        self._piece = b""
        return goes_on

    def _on_headers_complete(self) -> bool:
        self._whole = self._as_a_whole()
        if self._whole is not None:
            return False
        skips_body: bool = super()._on_headers_complete()  # type: ignore[no-untyped-call]
        return skips_body

    def _on_body(self, chunk: bytes) -> None:
        if self._whole is None:
            super()._on_body(chunk)  # type: ignore[no-untyped-call]
        else:
            self._whole.body += chunk

    def _on_message_complete(self) -> None:
        if self._whole is None:
            super()._on_message_complete()  # type: ignore[no-untyped-call]
        else:
            self._current_request = self._whole
            self._request_ready.set()

    def _as_a_whole(self) -> WholeRequest | None:
        """Return the request whose head was just read, when the short way is for it."""
        parser = self._callback_parser
        if parser.path != _PATH or parser.method != b"POST" or not self._is_open():
            return None
        given = parser.asgi_headers
        names = {name for name, _ in given}
        length = parser.content_length or 0
        if (
            parser.http_version != _HTTP_1_1
            or not parser.should_keep_alive
            or parser.is_chunked
            or length > min(MAX_BODY, self._body_at_hand())
            or len(names) != len(given)
            or not names.isdisjoint(_UNUSUAL)
        ):
            return None
        return WholeRequest({name.decode("latin-1"): value.decode("latin-1") for name, value in given})

    def _is_open(self) -> bool:
        return _IS_THERE and self.worker.alive and not self._flow_control.write_paused

    def _body_at_hand(self) -> int:
        # At least: where a head ended between two pieces, the end that is found here is a later one, and before a
        # request the parser takes one empty line and no two. Where the body ends is what the parser says, and what is
        # behind it is read when this request is answered.
        head_end = self._piece.find(_HEAD_END)
        return -1 if head_end < 0 else len(self._piece) - head_end - len(_HEAD_END)

    async def _serve_http_request(self, request: Any, sockname: Any, peername: Any) -> bool:
        if not isinstance(request, WholeRequest):
            keeps: bool = await super()._serve_http_request(request, sockname, peername)  # type: ignore[no-untyped-call]
            return keeps
        self._whole = None
        peer = peername[0] if peername else ""
        head, body = await self.app.express.answer(request.headers, request.body, peer)
        alive: bool = self.worker.alive
        if not self._closed:
            closing = b"" if alive else b"Connection: close\r\n"
            answer = b"".join((head, _own_lines(int(time.time())), closing, b"\r\n", body))
            self._safe_write(answer)  # type: ignore[no-untyped-call]
        return alive


@lru_cache(maxsize=1)
def _own_lines(second: int) -> bytes:
    # What gunicorn itself says in every answer.
    return f"Server: gunicorn/asgi\r\nDate: {formatdate(second, usegmt=True)}\r\n".encode()
