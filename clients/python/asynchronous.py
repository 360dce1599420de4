"""The client that waits for each acknowledgement without blocking the event loop."""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self, Unpack

from footfall.client.delivery.attempts import SINGLE
from footfall.client.delivery.call_ledger import CallLedger, Stats
from footfall.client.delivery.calls import Build, Calls, no_stamp
from footfall.client.delivery.driver import deliver_async
from footfall.client.delivery.futures import settled
from footfall.client.delivery.tracking_methods import TrackingMethods
from footfall.client.delivery.transport import AsyncTransport
from footfall.client.options import Options, Settings
from footfall.client.receipt import Receipt


class AsyncFootfall(TrackingMethods[Coroutine[Any, Any, Receipt]]):
    """Sends each event at once; an awaited call returns when the service acknowledges the event.

    It raises a FootfallError when the service does not. The client belongs to the event loop of its first call.
    `Options` lists the options (docs/track/servers.md#options).

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[Options]
    ) -> None:
        self._settings = Settings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._ledger = CallLedger(self._settings.on_error)
        self._calls = Calls(self._settings, self._ledger, no_stamp)
        self._transport = AsyncTransport(self._settings)
        self._tasks: set[asyncio.Task[None]] = set()

    async def flush(self) -> None:
        """Wait for the calls of other tasks."""
        await settled(self._ledger.open)

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109 - an end, not a cancellation
        """Refuse further calls, and wait at most `timeout` seconds for those of other tasks."""
        self._calls.closed = True
        await settled(self._ledger.open, timeout)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._ledger.abandon("The client was closed")
        await self._transport.close()

    @property
    def stats(self) -> Stats:
        """The counts of the calls so far, by result."""
        return self._ledger.stats

    async def _track(self, build: Build) -> Receipt:
        call = self._calls.open(build)
        if not call.future.done():
            delivery = deliver_async([call], SINGLE, self._settings, self._transport.send)
            task = asyncio.create_task(delivery)
            self._tasks.add(task)
            try:
                await settled([call])
            except asyncio.CancelledError:
                task.cancel()
                call.abandon("The call was cancelled")
                raise
            finally:
                self._tasks.discard(task)
        return call.future.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
