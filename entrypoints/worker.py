"""The worker of the server: gunicorn's, with connections of ours, which can be told to end at any time."""

import asyncio
import signal
import sys
from queue import SimpleQueue

from gunicorn.workers import gasgi

from footfall.entrypoints.connections import Connection
from footfall.entrypoints.short_way import ShortWay

# What is in flight when a worker is told to end has so long: of its graceful time, enough is left for draining the
# intake and for writing down what was counted.
LAST_SECONDS = 3.0
# The master says SIGQUIT when it was told SIGINT itself, which a terminal tells workers, too.
_ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


def listen_to_the_master(said_before: "SimpleQueue[int]") -> None:
    """End from now on when told to, and at once when that was said already.

    A process that was just forked has the master's handlers, which put what they hear into a queue for the master's
    loop: the worker would go on until the master loses its patience and kills it.
    """
    for number in _ENDINGS:
        signal.signal(number, lambda *_: sys.exit(0))
    while not said_before.empty():
        if said_before.get_nowait() in _ENDINGS:
            sys.exit(0)


class Worker(gasgi.ASGIWorker):
    """gunicorn's ASGI worker with these connections, which can be told to end at any time."""

    def init_process(self) -> None:
        """Run the worker."""
        self.open_connections: set[Connection] = set()
        # There is no setting for it, and this is the one place that names it: tests/e2e/test_slow_clients.py watches.
        gasgi.ASGIProtocol = ShortWay  # type: ignore[attr-defined]
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
