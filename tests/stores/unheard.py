"""Connections whose last words are not heard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.application.ports.journal import StoreUnavailable


@frozen
class Unheard:
    """A pool over another one: everything is done and committed, and seems to have failed."""

    _connections: Connections

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[StoreConnection]:
        """Lend a connection, and fail afterwards."""
        async with self._connections.connection() as connection:
            yield connection
        raise StoreUnavailable("the answer was lost")
