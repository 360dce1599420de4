"""Connections of the server: how long one may take to say what it wants."""

import asyncio
import signal
import sys
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

HEAD_SECONDS = 10.0
# What is in flight when a worker is told to end has so long: of its graceful time, enough is left for draining the
# intake and for writing down what was counted.
LAST_SECONDS = 3.0
# The master says SIGQUIT when it was told SIGINT itself, which a terminal tells workers, too.
_ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


class Connection(ASGIProtocol):
    """A connection that is closed when the head of its first request does not come.

    gunicorn itself closes one on which a later request does not come: for those its keep-alive time holds.
    """

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)  # type: ignore[no-untyped-call]
        self.worker.open_connections.add(self)
        self._patience = self.worker.loop.call_later(HEAD_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        # A timer that is left would keep what belongs to the connection in memory.
        if self._patience is not None:
            self._patience.cancel()
        self.worker.open_connections.discard(self)
        super().connection_lost(exc)  # type: ignore[no-untyped-call]

    def close_if_idle(self) -> None:
        """Close the connection unless a request is being answered."""
        if self.transport is not None and self._current_request is None:
            self.transport.close()

    def abort(self) -> None:
        """Close the connection whatever happens on it."""
        # Not `close`, which would wait for somebody who does not read.
        if self.transport is not None:
            self.transport.abort()

    def _close_if_silent(self) -> None:
        if self.req_count <= 1:
            self.close_if_idle()


class Worker(gasgi.ASGIWorker):
    """gunicorn's ASGI worker with these connections, which can be told to end at any time."""

    def init_process(self) -> None:
        """Run the worker."""
        for number in _ENDINGS:
            signal.signal(number, lambda *_: sys.exit(0))
        self.open_connections: set[Connection] = set()
        # There is no setting for it, and this is the one place that names it: tests/e2e/test_slow_clients.py watches.
        gasgi.ASGIProtocol = Connection  # type: ignore[attr-defined]
        super().init_process()  # type: ignore[no-untyped-call]

    def init_signals(self) -> None:
        """Listen to the master, from now on and not only when the event loop runs.

        uvloop forgets what comes before: the worker would go on until the master loses its patience and kills it.
        """
        super().init_signals()  # type: ignore[no-untyped-call]
        for number in _ENDINGS:
            signal.signal(number, lambda *_: self.handle_exit_signal())  # type: ignore[no-untyped-call]

    def handle_quit_signal(self) -> None:
        """End as cleanly as when told politely: what is in flight is nobody's to throw away."""
        self.handle_exit_signal()  # type: ignore[no-untyped-call]

    async def _shutdown(self) -> None:
        # Nobody need say anything more on a connection that is kept: to wait for it would use up the time for draining.
        for connection in list(self.open_connections):
            connection.close_if_idle()
        # Without this, whoever has said half of what they want would let the worker wait until it is killed.
        asyncio.get_running_loop().call_later(LAST_SECONDS, self._abort_connections)
        await super()._shutdown()  # type: ignore[no-untyped-call]

    def _abort_connections(self) -> None:
        for connection in list(self.open_connections):
            connection.abort()
