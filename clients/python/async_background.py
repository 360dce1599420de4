"""The client that never makes its caller wait, on an event loop: a task sends, in batches."""

import asyncio
import atexit
from collections.abc import Callable
from types import TracebackType
from typing import Self, Unpack

from footfall.client.async_outbox import AsyncOutbox
from footfall.client.calls import Calls, late_stamp
from footfall.client.entry import Entry
from footfall.client.errors import QueueFull
from footfall.client.futures import awaitable, settled
from footfall.client.ledger import Ledger, Stats
from footfall.client.losses import LossLog
from footfall.client.options import QueueOptions, QueueSettings
from footfall.client.payload import Payload, Properties
from footfall.client.receipt import Receipt


class AsyncBackgroundFootfall:
    """Gathers events in memory and sends them together from a task of the event loop that it is used on.

    Close it before the loop ends: what is not delivered by then is reported, to `on_error` or to the log. The
    options are those of the interface, section 4.6, and of `QueueOptions`.

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[QueueOptions]
    ) -> None:
        settings = QueueSettings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._losses = LossLog()
        self._ledger = Ledger(self._losses if settings.on_error is None else settings.on_error)
        self._calls = Calls(settings, self._ledger, late_stamp)
        self._outbox = AsyncOutbox(settings, self._losses.write, self._cancelled)
        atexit.register(self._exit)

    def pageview(self, payload: Payload | None = None) -> asyncio.Future[Receipt]:
        """Queue a pageview; the future, which nobody has to await, ends as its delivery does."""
        return self._push(lambda: self._calls.pageview(payload))

    def event(
        self, event_name: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> asyncio.Future[Receipt]:
        """Queue a custom event; the future, which nobody has to await, ends as its delivery does."""
        return self._push(lambda: self._calls.event(event_name, payload, properties))

    async def flush(self) -> None:
        """Send what waits and return when every call made so far is settled."""
        self._outbox.send()
        await settled(self._ledger.open)

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109 - an end, not a cancellation
        """Take no more calls and deliver the queue; report what is not settled after `timeout` seconds."""
        self._calls.closed = True
        self._outbox.send()
        await settled(self._ledger.open, timeout)
        await self._outbox.stop()
        self._give_up("The client was closed")
        atexit.unregister(self._exit)

    @property
    def stats(self) -> Stats:
        """What became of the calls so far."""
        return self._ledger.stats

    def _push(self, open_entry: Callable[[], Entry]) -> asyncio.Future[Receipt]:
        self._outbox.bind()
        entry = open_entry()
        if not entry.future.done() and not self._outbox.push(entry):
            self._ledger.settle(entry, QueueFull("The queue is full"))
        return awaitable(entry)

    def _cancelled(self) -> None:
        self._give_up("The client was closed" if self._calls.closed else "The event loop ended")

    def _exit(self) -> None:
        self._give_up("The process ended")

    def _give_up(self, why: str) -> None:
        self._ledger.abandon(why)
        self._losses.write()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
