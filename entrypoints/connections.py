"""Connections of the server: how long one may take to say what it wants."""

import asyncio
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

HEAD_SECONDS = 10.0


class Connection(ASGIProtocol):
    """A connection that is closed when the head of its first request does not come.

    gunicorn itself closes one on which a later request does not come: for those its keep-alive time holds.
    """

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self._patience = self.worker.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        # A timer that is left would keep what belongs to the connection in memory.
        if self._patience is not None:
            self._patience.cancel()
        super().connection_lost(exc)  # type: ignore[no-untyped-call]

    def _close_if_silent(self) -> None:
        if self.transport is not None and self.req_count <= 1 and self._current_request is None:
            self.transport.close()


class Worker(gasgi.ASGIWorker):
    """gunicorn's ASGI worker with these connections."""

    def init_process(self) -> None:
        """Run the worker."""
        # There is no setting for it, and this is the one place that names it: tests/e2e/test_slow_clients.py watches.
        gasgi.ASGIProtocol = Connection  # type: ignore[attr-defined]
        super().init_process()  # type: ignore[no-untyped-call]
