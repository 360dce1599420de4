"""Whether the store can serve."""

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.migration import all_migrations
from footfall.application.ports import StoreUnavailable

_APPLIED = "select coalesce(max(number), 0) as number from schema_migration"


class PostgresReadiness:
    """Asks the store whether it answers and has the schema of this version."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._needed = all_migrations()[-1].number

    async def obstacles(self) -> list[str]:
        """Return what stands in the way of serving, in words for an operator; nothing when all is well."""
        try:
            async with self._connections.connection() as connection:
                row = await (await connection.execute(_APPLIED)).fetchone()
        except StoreUnavailable:
            return ["the store does not answer"]
        applied = 0 if row is None else row["number"]
        if applied < self._needed:
            return [
                f"the schema is at migration {applied}, this version needs {self._needed}: run footfall migrate"
            ]
        return []
