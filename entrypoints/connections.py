"""Connections of the server: how long one may take to say what it wants, how much that may be, and how it ends."""

import asyncio
import re
import time
from collections.abc import Sequence
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from attrs import define
from gunicorn.asgi.parser import InvalidHeader
from gunicorn.asgi.protocol import ASGIProtocol

HEAD_SECONDS = 10.0
LEFTOVER_SECONDS = 10.0
UNREAD_SECONDS = 30.0
MAX_HEAD = 128 * 1024
# Whoever reads less than this of what waits for them, in those seconds, is left.
_LEAST_READ = 16 * 1024
_HTTP_1_0 = (1, 0)
_HOST = re.compile(r"[A-Za-z0-9\-._~%!$&'()*+,;=:\[\]]*")
_ORIGIN = re.compile(rb"https?://[^/?#]*", re.IGNORECASE)


class Connection(ASGIProtocol):
    """A connection that nobody can hold for nothing, and on which every refusal is the service's own.

    It is closed when the head of its first request does not come or does not end, and when its answers are not read;
    gunicorn itself closes one on which a later request does not come, after its keep-alive time. What is no request is
    answered in JSON, and whoever still speaks when they are refused may finish before the connection ends.
    """

    _patience: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _keepalive_handle: asyncio.TimerHandle | None
    _idle_since: float | None = None
    _callback_parser: Any
    _current_request: Any
    _body_receiver: Any
    _head_so_far: int = 0
    _begun: Any = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self.worker.open_connections.add(self)
        self._patience = self.worker.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        # A timer that is left would keep what belongs to the connection in memory.
        for timer in (self._patience, self._unread, self._keepalive_handle):
            if timer is not None:
                timer.cancel()
        self.worker.open_connections.discard(self)
        super().connection_lost(exc)  # type: ignore[no-untyped-call]

    def close_if_idle(self) -> None:
        """Close the connection unless a request is being answered."""
        if self.transport is not None and (self._current_request is None or self._closed):
            self.transport.close()
            self._expect_reading()

    def abort(self) -> None:
        """Close the connection whatever happens on it."""
        # Not `close`, which would wait for somebody who does not read.
        if self.transport is not None:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Wait until somebody reads, but not for ever."""
        super().pause_writing()  # type: ignore[no-untyped-call]
        self._expect_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()  # type: ignore[no-untyped-call]

    def _expect_reading(self) -> None:
        transport: Any = self.transport
        waiting = transport.get_write_buffer_size()
        if waiting and self._unread is None:
            self._unread = self.worker.loop.call_later(UNREAD_SECONDS, self._leave_if_unread, waiting)

    def _leave_if_unread(self, before: int) -> None:
        self._unread = None
        transport: Any = self.transport
        if transport.get_write_buffer_size() > before - _LEAST_READ:
            self.abort()
        else:
            self._expect_reading()

    def _resume_reading(self) -> None:
        # gunicorn resumes after every answer, whatever waits behind it: whoever asks for much and reads nothing could
        # fill the memory, one piece for each request in it.
        if self._http1_buffered() <= self._max_buffer_size // 2:  # type: ignore[no-untyped-call]
            super()._resume_reading()  # type: ignore[no-untyped-call]

    def _arm_keepalive_timer(self) -> None:
        # One timer for many requests, because setting and cancelling one for each costs microseconds: when it rings
        # too early it is set again.
        self._idle_since = self.worker.loop.time()
        if self._keepalive_handle is None:
            super()._arm_keepalive_timer()  # type: ignore[no-untyped-call]

    def _cancel_keepalive_timer(self) -> None:
        self._idle_since = None

    def _keepalive_timeout(self) -> None:
        self._keepalive_handle = None
        if self._idle_since is None:
            return
        left = self._idle_since + self._keepalive - self.worker.loop.time()
        if left > 0:
            self._keepalive_handle = self.worker.loop.call_later(left, self._keepalive_timeout)
        else:
            self.close_if_idle()

    def _feed_callback_parser(self, data: bytes) -> bool:
        goes_on: bool = super()._feed_callback_parser(data)  # type: ignore[no-untyped-call]
        if self._current_request is not None:
            self._head_so_far = 0
        elif goes_on:
            # gunicorn bounds each line and their number, which is a lot together.
            self._head_so_far += len(data)
            if self._head_so_far > MAX_HEAD:
                self._send_error_response(431, f"Request head exceeds {MAX_HEAD} bytes")
                self._close_transport()
                return False
        return goes_on

    def _on_headers_complete(self) -> bool:
        parser = self._callback_parser
        _require_host(parser)
        if not parser.path.startswith(b"/"):
            # Whoever takes this for a proxy names the whole URL (RFC 9112, section 3.2.2).
            parser.path = _ORIGIN.sub(b"", parser.path, count=1) or b"/"
        skips_body: bool = super()._on_headers_complete()  # type: ignore[no-untyped-call]
        return skips_body

    async def _handle_websocket(self, _request: Any, _sockname: Any, _peername: Any) -> None:
        # gunicorn would ask the application, whose answer could be no JSON and would be counted by nobody.
        self._current_request = None
        self._send_error_response(403, "There are no WebSockets")

    def _send_response_start(
        self,
        status: int,
        headers: Any,
        request: Any,
        close: bool = False,  # noqa: FBT001, FBT002 - gunicorn's
    ) -> None:
        self._begun = request
        # gunicorn closes a connection on which half a body has come, and does not say so.
        receiver = self._body_receiver
        close = close or not (receiver is None or receiver._complete)  # noqa: SLF001
        super()._send_response_start(status, headers, request, close=close)  # type: ignore[no-untyped-call]

    def _send_error_response(
        self, status: int, message: str, extra_headers: Sequence[tuple[str, str]] = ()
    ) -> None:
        if self._closed or self._has_begun_to_answer():
            # Whoever reads would take it for a part of that answer, or for the answer to something else.
            return
        # What the application has, it counts when it learns that no more of it comes.
        express = self.app.express
        if status == HTTPStatus.NOT_IMPLEMENTED:
            # A transfer coding of somebody's own, which is no fault of the server and no reason to alarm anybody.
            status = HTTPStatus.BAD_REQUEST
        answer = express.refused if self._current_request is None else express.refusal
        head, body = answer(status, message)
        extra = "".join(f"{name}: {value}\r\n" for name, value in extra_headers).encode("latin-1")
        own = own_lines(int(time.time()))
        self._safe_write(b"".join((head, own, extra, b"Connection: close\r\n\r\n", body)))  # type: ignore[no-untyped-call]

    def _has_begun_to_answer(self) -> bool:
        return self._current_request is not None and self._begun is self._current_request

    def _close_transport(self) -> None:
        transport: Any = self.transport
        if self._closed or self._is_all_said() or not self.worker.alive or transport.is_closing():
            super()._close_transport()  # type: ignore[no-untyped-call]
            self._expect_reading()
        else:
            self._closed = True
            super()._resume_reading()  # type: ignore[no-untyped-call]
            self._let_finish(transport)

    def _is_all_said(self) -> bool:
        parser = self._callback_parser
        return parser.is_complete and not parser.remaining()

    def _let_finish(self, transport: Any) -> None:
        # A socket that is closed while something comes in resets the connection, and whoever speaks first and reads
        # then would never see why they were refused.
        if self._patience is not None:
            self._patience.cancel()
        self._patience = self.worker.loop.call_later(LEFTOVER_SECONDS, self.abort)
        if self._body_receiver is not None:
            self._body_receiver.signal_disconnect()
        transport.write_eof()
        transport.set_protocol(Leftover(self))

    def _close_if_silent(self) -> None:
        if self.req_count <= 1:
            self.close_if_idle()


@define(eq=False)
class Leftover(asyncio.Protocol):
    """Takes what is still said on a connection after the last answer, and throws it away."""

    _connection: Connection

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the connection know."""
        self._connection.connection_lost(exc)


def _require_host(parser: Any) -> None:
    # RFC 9112, section 3.2. That there is only one the parser sees to.
    named = [value.decode("latin-1") for name, value in parser.headers if name == b"host"]
    if not named and parser.http_version > _HTTP_1_0:
        raise InvalidHeader("Missing Host header")
    if named and not is_host(named[0]):
        raise InvalidHeader("Invalid Host header")


@lru_cache(maxsize=256)
def is_host(named: str | None) -> bool:
    """Say whether this can be the value of a Host header."""
    return named is not None and _HOST.fullmatch(named) is not None


@lru_cache(maxsize=1)
def own_lines(second: int) -> bytes:
    """Return what gunicorn itself says in every answer."""
    return f"Server: gunicorn/asgi\r\nDate: {formatdate(second, usegmt=True)}\r\n".encode()
