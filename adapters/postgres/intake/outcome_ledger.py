"""The counts of events by outcome, in PostgreSQL."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import define, field

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.intake.doubts import committed
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey


@define
class PostgresOutcomeLedger:
    """OutcomeLedger over the table `ingestion_outcome`.

    When the end of a commit is not heard, the next call asks the server about that transaction before it adds again.
    """

    _connections: Connections
    _transaction: str | None = field(default=None, init=False)
    _server_started: str = field(default="", init=False)

    async def add(self, counts: Mapping[tuple[OutcomeKey, datetime], int]) -> None:
        """Add a number of events to each count, once, however often the call is repeated."""
        parameters = {
            "sites": [key.site_id for key, _ in counts],
            "quarters": [quarter for _, quarter in counts],
            "outcomes": [key.outcome for key, _ in counts],
            "reasons": [key.reason for key, _ in counts],
            "events": list(counts.values()),
        }
        async with self._connections.connection() as connection:
            if not await self._added_before(connection, parameters):
                async with connection.transaction():
                    cursor = await connection.execute(statement("intake/current_transaction"))
                    [row] = await cursor.fetchall()
                    self._transaction, self._server_started = row["transaction"], row["server_started"]
                    await connection.execute(statement("intake/add_outcomes"), parameters)
        self._transaction = None

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[OutcomeKey, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""
        parameters = {"site_id": site_id, "start": start, "end": end}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("intake/read_outcomes"), parameters)
            rows = await cursor.fetchall()
        return {OutcomeKey(site_id, row["outcome"], row["reason"]): row["events"] for row in rows}

    async def read_quarters(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return the counts of a site for each quarter that begins in [start, end)."""
        parameters = {"site_id": site_id, "start": start, "end": end}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("intake/read_outcome_quarters"), parameters)
            rows = await cursor.fetchall()
        return {
            (OutcomeKey(site_id, row["outcome"], row["reason"]), row["quarter"].astimezone(UTC)): row[
                "events"
            ]
            for row in rows
        }

    async def _added_before(self, connection: StoreConnection, parameters: Mapping[str, Any]) -> bool:
        """Return whether the failed call before this one has committed."""
        if self._transaction is None:
            return False
        added = await committed(connection, self._transaction)
        if added is None:
            raise StoreUnavailable("a transaction of the outcome ledger has not ended yet")
        return added and await self._holds(connection, self._transaction, parameters)

    async def _holds(
        self, connection: StoreConnection, transaction: str, parameters: Mapping[str, Any]
    ) -> bool:
        """Return whether the transaction was this one: after a failover its number may be that of another."""
        named = {**parameters, "transaction": transaction, "server_started": self._server_started}
        cursor = await connection.execute(statement("intake/added_by_transaction"), named)
        [row] = await cursor.fetchall()
        return bool(row["added"])
