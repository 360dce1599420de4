"""The client with a thread that sends in batches; its calls return at once."""

import atexit
import logging
from concurrent.futures import Future, wait
from types import TracebackType
from typing import Self, Unpack

from footfall.client.background.loss_log import LossLog
from footfall.client.background.outbox import Outbox
from footfall.client.delivery.call_ledger import CallLedger, Stats
from footfall.client.delivery.calls import Build, Calls, late_stamp
from footfall.client.delivery.tracking_methods import TrackingMethods
from footfall.client.errors import QueueFull
from footfall.client.forks import on_fork
from footfall.client.options import QueueOptions, QueueSettings
from footfall.client.receipt import Receipt

log = logging.getLogger("footfall.client")


class BackgroundFootfall(TrackingMethods[Future[Receipt]]):
    """Queues events in memory and sends them in batches from a thread of its own; threads may share it.

    The future that a method returns has the result of the delivery, and may be ignored.

    At the exit of the process the client delivers the queue, within `exit_timeout` seconds. It reports each event
    whose storage is not confirmed to `on_error`, or without that to the log. `QueueOptions` lists the options
    (docs/track/servers.md#options).

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[QueueOptions]
    ) -> None:
        self._settings = QueueSettings(
            analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options
        )
        self._open()
        on_fork(self, BackgroundFootfall._open)
        atexit.register(self._exit)

    def _open(self) -> None:
        self._losses = LossLog()
        self._ledger = CallLedger(
            self._losses if self._settings.on_error is None else self._settings.on_error
        )
        self._calls = Calls(self._settings, self._ledger, late_stamp)
        self._outbox = Outbox(self._settings, self._losses.write)

    def flush(self, timeout: float | None = None) -> None:
        """Send the queue and return when every call so far is settled, or after `timeout` seconds."""
        self._outbox.send()
        wait([call.future for call in self._ledger.open], timeout)

    def deliver(self) -> None:
        """Send the queue within `exit_timeout` seconds, and log how many calls are not settled by then.

        For a server that may end the process without its exit handlers; the client takes further calls.
        """
        self.flush(self._settings.exit_timeout)
        if pending := self.stats.pending:
            log.warning("%d event(s) not confirmed at the shutdown of the server", pending)
        self._losses.write()

    def close(self, timeout: float = 30.0) -> None:
        """Refuse further calls and deliver the queue; report each event that is not settled after `timeout` seconds."""
        atexit.unregister(self._exit)
        self._finish("The client was closed", timeout)

    @property
    def stats(self) -> Stats:
        """The counts of the calls so far, by result."""
        return self._ledger.stats

    def _track(self, build: Build) -> Future[Receipt]:
        call = self._calls.open(build)
        if not call.future.done() and not self._outbox.push(call):
            self._ledger.settle(call, QueueFull("The queue is full"))
            self._losses.write_overdue()
        return call.future

    def _exit(self) -> None:
        self._finish("The process ended", self._settings.exit_timeout)

    def _finish(self, why: str, timeout: float) -> None:
        self._calls.closed = True
        self._outbox.end()
        late = wait([call.future for call in self._ledger.open], timeout).not_done
        self._outbox.stop()
        self._ledger.abandon(why)
        self._losses.write()
        if not late:
            self._outbox.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
