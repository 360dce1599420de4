"""Forgetting the names of events when their lifetime is over."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.domain.tracking.admission import IDEMPOTENCY_LIFETIME


@frozen
class PostgresIdempotencyKeys:
    """The table `idempotency`, as housekeeping sees it."""

    _connections: Connections

    async def forget_old(self, now: datetime) -> None:
        """Delete the names that are older than their lifetime, in slices."""
        before = {"before": now - IDEMPOTENCY_LIFETIME}
        async with self._connections.connection() as connection:
            while (await connection.execute(statement("intake/forget_idempotency"), before)).rowcount:
                pass
