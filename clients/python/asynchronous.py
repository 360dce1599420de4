"""The client that waits for each acknowledgement without blocking the event loop."""

import asyncio
from types import TracebackType
from typing import Self, Unpack

from footfall.client.calls import Calls, no_stamp
from footfall.client.delivery import SINGLE, deliver
from footfall.client.driver import run_async
from footfall.client.entry import Entry
from footfall.client.futures import settled
from footfall.client.ledger import Ledger, Stats
from footfall.client.options import Options, Settings
from footfall.client.payload import Payload, Properties
from footfall.client.receipt import Receipt
from footfall.client.transport import AsyncTransport


class AsyncFootfall:
    """Sends each event at once; awaiting a call ends when the service acknowledged the event.

    It belongs to the event loop that it is first used on. The options are those of the interface, section 4.6,
    and of `Options`.

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[Options]
    ) -> None:
        self._settings = Settings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._ledger = Ledger(self._settings.on_error)
        self._calls = Calls(self._settings, self._ledger, no_stamp)
        self._transport = AsyncTransport(self._settings)
        self._tasks: set[asyncio.Task[None]] = set()

    async def pageview(self, payload: Payload | None = None) -> Receipt:
        """Send a pageview.

        Raises:
            FootfallError: it was not acknowledged.

        """
        return await self._send(self._calls.pageview(payload))

    async def event(
        self, event_name: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> Receipt:
        """Send a custom event.

        Raises:
            FootfallError: it was not acknowledged.

        """
        return await self._send(self._calls.event(event_name, payload, properties))

    async def flush(self) -> None:
        """Wait for the calls that other tasks have under way."""
        await settled(self._ledger.open)

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109 - an end, not a cancellation
        """Take no more calls, and wait for those of other tasks for at most `timeout` seconds."""
        self._calls.closed = True
        await settled(self._ledger.open, timeout)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._ledger.abandon("The client was closed")
        await self._transport.close()

    @property
    def stats(self) -> Stats:
        """What became of the calls so far."""
        return self._ledger.stats

    async def _send(self, entry: Entry) -> Receipt:
        if not entry.future.done():
            delivery = deliver([entry], SINGLE, self._settings)
            task = asyncio.create_task(run_async(delivery, self._transport.send))
            self._tasks.add(task)
            try:
                await settled([entry])
            except asyncio.CancelledError:
                task.cancel()
                entry.abandon("The call was cancelled")
                raise
            finally:
                self._tasks.discard(task)
        return entry.future.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
