"""Connections over which some statements are not made: their process was interrupted before."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, frozen

from footfall.adapters.postgres.database.connections import Connections, StoreConnection


class Interrupted(Exception):
    """A statement that was not made."""


@define(eq=False)
class InterruptedConnections:
    """A pool over another one: statements are numbered from 1, and those of the numbers `at` raise `Interrupted`."""

    of: Connections
    at: Collection[int]
    statements: int = 0

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["InterruptedConnection"]:
        """Lend a connection."""
        async with self.of.connection() as connection:
            yield InterruptedConnection(connection, self)


@frozen
class InterruptedConnection:
    """A connection of an interrupted pool."""

    of: StoreConnection
    pool: InterruptedConnections

    rows, row = StoreConnection.rows, StoreConnection.row
    value, run = StoreConnection.value, StoreConnection.run

    def __getattr__(self, name: str) -> Any:
        """Return what the connection has."""
        return getattr(self.of, name)

    async def execute(self, *arguments: Any, **options: Any) -> Any:
        """Make a statement, unless it is one of those that are not made."""
        self.pool.statements += 1
        if self.pool.statements in self.pool.at:
            raise Interrupted
        return await self.of.execute(*arguments, **options)
