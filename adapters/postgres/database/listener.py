"""Notifications of the journal, on a connection that listens for them."""

import asyncio

from attrs import define, field

from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.application.ports.journal import StoreUnavailable

RETRY_SECONDS = 0.5


@define
class Listener:
    """Waits for appends to the journal; without a connection it reports none, and readers poll."""

    _url: str
    _notified: asyncio.Event = field(factory=asyncio.Event, init=False)

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

    async def _notifications(self, connection: StoreConnection) -> None:
        await connection.run("database/session/listen")
        # The server did not notify this connection of earlier appends.
        self._notified.set()
        async for _ in connection.notifies():
            self._notified.set()
