"""The counts of what became of events, in PostgreSQL."""

from collections.abc import Mapping
from datetime import datetime

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.statements import statement
from footfall.application.ports import Counted


class PostgresOutcomeLedger:
    """OutcomeLedger over the table `ingestion_outcome`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def add(self, counts: Mapping[tuple[Counted, datetime], int]) -> None:
        """Add so many events to each count."""
        parameters = {
            "sites": [counted.site_id for counted, _ in counts],
            "quarters": [quarter for _, quarter in counts],
            "outcomes": [counted.outcome for counted, _ in counts],
            "reasons": [counted.reason for counted, _ in counts],
            "events": list(counts.values()),
        }
        async with self._connections.connection() as connection:
            await connection.execute(statement("add_outcomes"), parameters)

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[Counted, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""
        parameters = {"site_id": site_id, "start": start, "end": end}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("read_outcomes"), parameters)
            rows = await cursor.fetchall()
        return {Counted(site_id, row["outcome"], row["reason"]): row["events"] for row in rows}
