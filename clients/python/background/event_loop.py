"""The client with a task of the event loop that sends in batches; its calls return at once."""

import asyncio
import atexit
from types import TracebackType
from typing import Self, Unpack

from footfall.client.background.async_outbox import AsyncOutbox
from footfall.client.background.loss_log import LossLog
from footfall.client.delivery.call_ledger import CallLedger, Stats
from footfall.client.delivery.calls import Build, Calls, late_stamp
from footfall.client.delivery.futures import awaitable, settled
from footfall.client.delivery.tracking_methods import TrackingMethods
from footfall.client.errors import QueueFull
from footfall.client.options import QueueOptions, QueueSettings
from footfall.client.receipt import Receipt


class AsyncBackgroundFootfall(TrackingMethods[asyncio.Future[Receipt]]):
    """Queues events in memory and sends them in batches from a task of its event loop.

    The future that a method returns has the result of the delivery, and may be ignored.

    Close it before the loop ends: it reports each event that is not delivered by then, to `on_error` or to the log.
    `QueueOptions` lists the options (docs/track/servers.md#options).

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[QueueOptions]
    ) -> None:
        settings = QueueSettings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._losses = LossLog()
        self._ledger = CallLedger(self._losses if settings.on_error is None else settings.on_error)
        self._calls = Calls(settings, self._ledger, late_stamp)
        self._outbox = AsyncOutbox(settings, self._losses.write, self._cancelled)
        atexit.register(self._exit)

    async def flush(self) -> None:
        """Send the queue and return when every call so far is settled."""
        self._outbox.send()
        await settled(self._ledger.open)

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109 - an end, not a cancellation
        """Refuse further calls and deliver the queue; report each event that is not settled after `timeout` seconds."""
        self._calls.closed = True
        self._outbox.send()
        await settled(self._ledger.open, timeout)
        await self._outbox.stop()
        self._give_up("The client was closed")
        atexit.unregister(self._exit)

    @property
    def stats(self) -> Stats:
        """The counts of the calls so far, by result."""
        return self._ledger.stats

    def _track(self, build: Build) -> asyncio.Future[Receipt]:
        self._outbox.bind()
        call = self._calls.open(build)
        if not call.future.done() and not self._outbox.push(call):
            self._ledger.settle(call, QueueFull("The queue is full"))
            self._losses.write_overdue()
        return awaitable(call)

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
