"""Forgetting the names of events when they are a day old."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement


@frozen
class PostgresIdempotencyKeys:
    """The table `idempotency`, as housekeeping sees it."""

    _connections: Connections

    async def forget_old(self, now: datetime) -> None:
        """Delete the names that are older than 24 hours, in slices."""
        async with self._connections.connection() as connection:
            while (await connection.execute(statement("intake/forget_idempotency"), {"now": now})).rowcount:
                pass
