"""Forgetting what has an age: the names of events when their lifetime is over, and old counts of outcomes."""

from datetime import datetime

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ingestion.outcomes import kept_since
from footfall.domain.tracking.admission import IDEMPOTENCY_LIFETIME


@frozen
class PostgresExpiry:
    """The tables `idempotency`, `ingestion_outcome` and `refused_bot`, as housekeeping sees them."""

    _connections: Connections

    async def forget_old(self, now: datetime) -> None:
        """Delete the names that are older than their lifetime, and the counts that are no longer kept, in slices."""
        await self._forget("admission/forget_idempotency", now - IDEMPOTENCY_LIFETIME)
        await self._forget("outcomes/forget_outcomes", kept_since(now))
        await self._forget("refused_bots/forget", kept_since(now))

    async def _forget(self, name: str, before: datetime) -> None:
        async with self._connections.connection() as connection:
            while (await connection.execute(statement(f"intake/{name}"), {"before": before})).rowcount:
                pass
