"""The client that never makes its caller wait: a thread sends, in batches."""

import atexit
from concurrent.futures import Future, wait
from types import TracebackType
from typing import Self, Unpack

from footfall.client.calls import Calls, late_stamp
from footfall.client.entry import Entry
from footfall.client.errors import QueueFull
from footfall.client.forks import on_fork
from footfall.client.ledger import Ledger, Stats
from footfall.client.losses import LossLog
from footfall.client.options import QueueOptions, QueueSettings
from footfall.client.outbox import Outbox
from footfall.client.payload import Payload, Properties
from footfall.client.receipt import Receipt


class BackgroundFootfall:
    """Gathers events in memory and sends them together from a thread; may be shared by threads.

    The queue is delivered when the process exits, within `exit_timeout` seconds. An event whose storage is not
    confirmed is reported to `on_error`, without that to the log. The options are those of the interface, section
    4.6, and of `QueueOptions`.

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
        on_fork(self._open)
        atexit.register(self._exit)

    def _open(self) -> None:
        self._losses = LossLog()
        self._ledger = Ledger(self._losses if self._settings.on_error is None else self._settings.on_error)
        self._calls = Calls(self._settings, self._ledger, late_stamp)
        self._outbox = Outbox(self._settings, self._losses.write)

    def pageview(self, payload: Payload | None = None) -> Future[Receipt]:
        """Queue a pageview; the future, which nobody has to look at, ends as its delivery does."""
        return self._push(self._calls.pageview(payload))

    def event(
        self, event_name: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> Future[Receipt]:
        """Queue a custom event; the future, which nobody has to look at, ends as its delivery does."""
        return self._push(self._calls.event(event_name, payload, properties))

    def flush(self) -> None:
        """Send what waits and return when every call made so far is settled."""
        self._outbox.send()
        wait([entry.future for entry in self._ledger.open])

    def close(self, timeout: float = 30.0) -> None:
        """Take no more calls and deliver the queue; report what is not settled after `timeout` seconds."""
        atexit.unregister(self._exit)
        self._finish("The client was closed", timeout)

    @property
    def stats(self) -> Stats:
        """What became of the calls so far."""
        return self._ledger.stats

    def _push(self, entry: Entry) -> Future[Receipt]:
        if not entry.future.done() and not self._outbox.push(entry):
            self._ledger.settle(entry, QueueFull("The queue is full"))
        return entry.future

    def _exit(self) -> None:
        self._finish("The process ended", self._settings.exit_timeout)

    def _finish(self, why: str, timeout: float) -> None:
        self._calls.closed = True
        self._outbox.end()
        late = wait([entry.future for entry in self._ledger.open], timeout).not_done
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
