"""Forgetting what has an age: names of events, old counts of outcomes, and measures without a pageview."""

from datetime import datetime, timedelta

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.session import allow_erasing
from footfall.adapters.postgres.database.sql_files import compose
from footfall.application.ingestion.outcomes import kept_since
from footfall.domain.tracking.engagement import MATCHING_SPAN
from footfall.domain.tracking.idempotency import IDEMPOTENCY_LIFETIME

_FOLDER = "maintenance/expiry"
# An event is stored soon after it was received.
_RESERVE = timedelta(days=1)


@frozen
class PostgresExpiry:
    """The tables `idempotency`, `ingestion_outcome`, `refused_bot` and `engagement`, as housekeeping sees them."""

    _connections: Connections

    async def forget_old(self, now: datetime) -> None:
        """Delete in slices what is older than it is kept: names, counts, and measures that have no pageview."""
        await self._forget("forget_idempotency", now - IDEMPOTENCY_LIFETIME)
        await self._forget("forget_outcomes", kept_since(now))
        await self._forget("forget_refused_bots", kept_since(now))
        while await self._settle(now - MATCHING_SPAN - _RESERVE):
            pass

    async def _settle(self, before: datetime) -> bool:
        """Look at the next measures that were stored before a moment; return whether there were some."""
        async with self._connections.connection() as connection, connection.transaction():
            await allow_erasing(connection)
            return bool(await connection.run(compose(f"{_FOLDER}/settle_measures"), before=before))

    async def _forget(self, name: str, before: datetime) -> None:
        async with self._connections.connection() as connection:
            while await connection.run(f"{_FOLDER}/{name}", before=before):
                pass
