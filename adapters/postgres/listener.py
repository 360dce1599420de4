"""Waking readers: one connection that listens for notifications."""

import asyncio

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.failures import translated
from footfall.application.ports import StoreUnavailable

RETRY_SECONDS = 0.5


class Listener:
    """Knows when something was appended to the journal; without a connection it falls silent, and polling goes on."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._notified = asyncio.Event()

    async def wait(self, within: float) -> None:
        """Return when a notification has come since the last call, or after `within` seconds."""
        try:
            async with asyncio.timeout(within):
                await self._notified.wait()
        except TimeoutError:
            return
        self._notified.clear()

    async def run(self) -> None:
        """Listen until cancelled, and connect again whenever the connection is lost."""
        while True:
            try:
                await self._listen()
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        connection = await connect(self._url)
        try:
            with translated():
                await self._notifications(connection)
        finally:
            await connection.close()

    async def _notifications(self, connection: AsyncConnection[DictRow]) -> None:
        await connection.execute("listen footfall_event")
        # What was appended before the listening began has not been announced to it.
        self._notified.set()
        async for _ in connection.notifies():
            self._notified.set()
