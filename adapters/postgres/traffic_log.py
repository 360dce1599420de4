"""Reading the traffic log in PostgreSQL."""

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.hit_rows import READ, recorded_hit
from footfall.domain.hit import RecordedHit


class PostgresTrafficLog:
    """TrafficLog over the partitioned table `hit`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def horizon(self) -> int:
        """Return the highest position below which everything is committed."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute("select hit_horizon() as horizon")).fetchone()
        assert row is not None  # noqa: S101 - a function always answers with one row
        return int(row["horizon"])

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`."""
        parameters = {"after": after, "up_to": up_to, "limit": limit}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(READ, parameters)
            return [recorded_hit(row) for row in await cursor.fetchall()]
