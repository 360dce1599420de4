"""The traffic log as tests read it: hits in the order of their positions."""

from attrs import frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.domain.tracking.hit import RecordedHit


@frozen
class PostgresTrafficLog:
    """The partitioned table `hit`."""

    _connections: Connections

    async def high_water_mark(self) -> int:
        """Return the highest position below which everything is committed."""
        [row] = await self._connections.rows("intake/traffic_log/high_water_mark")
        return int(row["high_water_mark"])

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`."""
        rows = await self._connections.rows(
            b"select * from hit where position > %(after)s and position <= %(up_to)s order by position limit %(limit)s",
            after=after,
            up_to=up_to,
            limit=limit,
        )
        return [recorded_hit(row) for row in rows]
