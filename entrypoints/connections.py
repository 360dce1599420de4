"""Connections of the server: how long one may take to say what it wants, how much that may be, and how it ends."""

import asyncio
from typing import Any

from attrs import define
from gunicorn.asgi.protocol import ASGIProtocol

HEAD_SECONDS = 10.0
LEFTOVER_SECONDS = 10.0
MAX_HEAD = 128 * 1024


class Connection(ASGIProtocol):
    """A connection that is closed when the head of its first request does not come, or does not end.

    gunicorn itself closes one on which a later request does not come: for those its keep-alive time holds.
    """

    _patience: asyncio.TimerHandle | None = None
    _keepalive_handle: asyncio.TimerHandle | None
    _idle_since: float | None = None
    _callback_parser: Any
    _head_so_far: int = 0

    @classmethod
    def _check_h1c_protocol_available(cls) -> bool:
        # gunicorn keeps what it finds of its parser in C on the class that looks, and reads it from its own.
        found: bool = ASGIProtocol._check_h1c_protocol_available()  # type: ignore[no-untyped-call]  # noqa: SLF001
        return found

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self.worker.open_connections.add(self)
        self._patience = self.worker.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        # A timer that is left would keep what belongs to the connection in memory.
        for timer in (self._patience, self._keepalive_handle):
            if timer is not None:
                timer.cancel()
        self.worker.open_connections.discard(self)
        super().connection_lost(exc)  # type: ignore[no-untyped-call]

    def close_if_idle(self) -> None:
        """Close the connection unless a request is being answered."""
        if self.transport is not None and (self._current_request is None or self._closed):
            self.transport.close()

    def abort(self) -> None:
        """Close the connection whatever happens on it."""
        # Not `close`, which would wait for somebody who does not read.
        if self.transport is not None:
            self.transport.abort()

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
            # The parser in C looks at its limits when a line or a head is complete, and keeps what is not.
            self._head_so_far += len(data)
            if self._head_so_far > MAX_HEAD:
                self._send_error_response(431, f"Request head exceeds {MAX_HEAD} bytes")  # type: ignore[no-untyped-call]
                self._close_transport()
                return False
        return goes_on

    def _close_transport(self) -> None:
        if self._closed or self._is_all_said() or not self.worker.alive:
            super()._close_transport()  # type: ignore[no-untyped-call]
        else:
            self._closed = True
            self._resume_reading()  # type: ignore[no-untyped-call]
            self._let_finish()

    def _is_all_said(self) -> bool:
        return self._callback_parser is None or self._callback_parser.is_complete

    def _let_finish(self) -> None:
        # A socket that is closed while something comes in resets the connection, and whoever speaks first and reads
        # then would never see why they were refused.
        if self._patience is not None:
            self._patience.cancel()
        self._patience = self.worker.loop.call_later(LEFTOVER_SECONDS, self.abort)
        transport: Any = self.transport
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
