"""The hits of one site, for whoever carries them elsewhere."""

from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, DataError
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.copying import CopyIn
from footfall.adapters.postgres.hit_rows import COLUMNS, recorded_hit
from footfall.adapters.postgres.hit_writer import HitWriter
from footfall.application.transfer import AnotherImport, UnreadableArchive
from footfall.domain.hit import Hit, RecordedHit

# A range of positions and not a number of rows: however few hits of the site there are in it, it is soon read.
_READ = (
    f"select position, {', '.join(COLUMNS)} from hit"
    " where site_id = %(site_id)s and position > %(after)s and position <= %(up_to)s order by position"
).encode()
_COUNT = "select count(*) as hits from hit where site_id = %s"
_REACHED = "select position from hit_import where site_id = %s and source = %s"
_BEGIN = "insert into hit_import (site_id, source, position) values (%s, %s, 0) on conflict do nothing"
_MOVE = (
    "update hit_import set position = %(reached)s"
    " where site_id = %(site_id)s and source = %(source)s and position = %(after)s"
)


class PostgresSiteHits:
    """SiteHits over the traffic log and the table `hit_import`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._writer = HitWriter()

    async def horizon(self) -> int:
        """Return the highest position below which everything is committed."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute("select hit_horizon() as horizon")).fetchone()
        assert row is not None  # noqa: S101 - a function always answers with one row
        return int(row["horizon"])

    async def read(self, site_id: int, *, after: int, up_to: int) -> list[RecordedHit]:
        """Return the site's hits with a position above `after` and at most `up_to`."""
        parameters = {"site_id": site_id, "after": after, "up_to": up_to}
        async with self._connections.connection() as connection:
            cursor = await connection.execute(_READ, parameters)
            return [recorded_hit(row) for row in await cursor.fetchall()]

    async def count(self, site_id: int) -> int:
        """Return how many hits the site has."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute(_COUNT, (site_id,))).fetchone()
        return 0 if row is None else int(row["hits"])

    async def reached(self, site_id: int, source: str) -> int:
        """Return up to which position the source has been stored in the site."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute(_REACHED, (site_id, source))).fetchone()
        return 0 if row is None else int(row["position"])

    async def store(
        self, site_id: int, source: str, hits: Sequence[Hit], *, after: int, reached: int
    ) -> None:
        """Store the hits and remember the position, both or neither."""
        move = {"site_id": site_id, "source": source, "after": after, "reached": reached}
        async with self._connections.connection() as connection:
            await connection.execute(_BEGIN, (site_id, source))
            try:
                await self._writer.make_partitions(connection, hits)
                await self._move(connection, move, hits)
            except DataError:
                raise UnreadableArchive(
                    f"the store cannot hold one of the hits after position {after} and up to {reached}"
                ) from None

    async def _move(
        self, connection: AsyncConnection[DictRow], move: dict[str, Any], hits: Sequence[Hit]
    ) -> None:
        async with connection.transaction():
            if not (await connection.execute(_MOVE, move)).rowcount:
                raise AnotherImport
            # The last statement: the lock that its trigger takes is held as shortly as can be.
            with CopyIn(connection) as copy_in:
                await self._writer.copy(copy_in, hits)
