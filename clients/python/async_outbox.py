"""A queue with a task that delivers it in batches, one request at a time, in order."""

import asyncio
import logging
from collections.abc import Callable

from footfall.client.delivery import BATCHED, deliver
from footfall.client.driver import run_async
from footfall.client.entry import Entry
from footfall.client.options import QueueSettings
from footfall.client.transport import AsyncTransport
from footfall.client.waiting import Waiting

log = logging.getLogger("footfall.client")


class AsyncOutbox:
    """Takes entries on one event loop; its task lives while there is something to send."""

    def __init__(
        self, settings: QueueSettings, after_batch: Callable[[], None], on_cancel: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._after_batch = after_batch
        self._on_cancel = on_cancel
        self._transport = AsyncTransport(settings)
        self._waiting = Waiting(settings)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def bind(self) -> None:
        """Belong to the running event loop from the first call on.

        Raises:
            RuntimeError: it is another one: what waits for a loop that has ended would never be sent.

        """
        loop = asyncio.get_running_loop()
        if self._loop not in {None, loop}:
            raise RuntimeError("This client belongs to another event loop")
        self._loop = loop

    def push(self, entry: Entry) -> bool:
        """Take an entry; return False when the queue is full."""
        if self._waiting.full:
            return False
        self._waiting.add(entry)
        if self._waiting.due:
            self.send()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._settings.flush_interval, self.send)
        return True

    def send(self) -> None:
        """Start to send what waits, without waiting for more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is None and self._waiting:
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def stop(self) -> None:
        """Send nothing more, and end the request that is under way."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._transport.close()

    async def _drain(self) -> None:
        try:
            while batch := self._waiting.take():
                await self._deliver(batch)
                self._after_batch()
        except asyncio.CancelledError:
            self._on_cancel()
            raise
        finally:
            self._waiting.done()
            self._task = None

    async def _deliver(self, batch: list[Entry]) -> None:
        try:
            await run_async(deliver(batch, BATCHED, self._settings), self._transport.send)
        except Exception:
            log.exception("Sending failed")
            for entry in batch:
                entry.abandon("Sending failed")
