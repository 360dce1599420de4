"""Forgetting the names of events when they are a day old."""

from datetime import datetime

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.statements import statement


class PostgresIdempotencyKeys:
    """The table `idempotency`, as housekeeping sees it."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def forget_old(self, now: datetime) -> None:
        """Delete the names that are older than 24 hours, in slices."""
        async with self._connections.connection() as connection:
            while (await connection.execute(statement("forget_idempotency"), {"now": now})).rowcount:
                pass
