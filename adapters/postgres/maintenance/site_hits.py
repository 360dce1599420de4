"""The hits and measures of one site, for export and import."""

from collections.abc import Sequence
from heapq import merge
from operator import attrgetter
from typing import Any

from attrs import asdict, define, field
from psycopg import DataError

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, sharing_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.intake.high_water_mark import wait_for_high_water_mark
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.adapters.postgres.intake.measure_rows import recorded_measure
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.maintenance import AnotherImport, UnreadableArchive
from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.session import Mark

_FOLDER = "maintenance/transfer"


@define
class PostgresSiteHits:
    """SiteHits over the traffic log and the table `hit_import`."""

    _connections: Connections
    _writer: HitWriter = field(factory=HitWriter, init=False)

    async def high_water_mark(self, _site_id: int) -> int:
        """Return the highest position below which everything of a site is committed."""
        async with self._connections.connection() as connection:
            return await wait_for_high_water_mark(connection)

    async def read(self, site_id: int, *, after: int, up_to: int) -> list[RecordedHit | RecordedMeasure]:
        """Return the site's hits and measures with a position above `after` and at most `up_to`."""
        parameters = {"site_id": site_id, "after": after, "up_to": up_to}
        async with self._connections.connection() as connection:
            hits = [recorded_hit(row) for row in await connection.rows(f"{_FOLDER}/read_hits", **parameters)]
            measures = [
                recorded_measure(row)
                for row in await connection.rows(f"{_FOLDER}/read_measures", **parameters)
            ]
        return list(merge(hits, measures, key=attrgetter("position")))

    async def count(self, site_id: int) -> int:
        """Return how many hits the site has."""
        return int(await self._connections.value(f"{_FOLDER}/count_hits", site_id=site_id) or 0)

    async def marks(self, site_id: int) -> list[Mark]:
        """Return where retention has cut through runs of the site's visitors."""
        rows = await self._connections.rows(f"{_FOLDER}/read_marks", site_id=site_id)
        return [Mark(**row) for row in rows]

    async def add_mark(self, site_id: int, mark: Mark) -> None:
        """Store a mark of another store for the site, unless hits of the part that it stands for are stored here."""
        async with (
            self._connections.connection() as connection,
            sharing_lock(AdvisoryLock.UNDO, connection) as allowed,
        ):
            if not allowed:
                raise StoreUnavailable(
                    "the store of the site is being moved, its projections are rebuilt, or a visitor is being erased; "
                    "import again when that has ended"
                )
            async with connection.transaction():
                await lock_checkpoint(connection)
                await connection.run(f"{_FOLDER}/add_mark", **{**asdict(mark), "site_id": site_id})

    async def reached(self, site_id: int, source: str) -> int:
        """Return up to which position the source has been stored in the site."""
        return int(
            await self._connections.value(f"{_FOLDER}/import_position", site_id=site_id, source=source) or 0
        )

    async def store(
        self, site_id: int, source: str, entries: Sequence[Hit | Measure], *, after: int, reached: int
    ) -> None:
        """Store hits and measures and remember the position, both or neither."""
        move = {"site_id": site_id, "source": source, "after": after, "reached": reached}
        async with self._connections.connection() as connection:
            await connection.run(f"{_FOLDER}/begin_import", **move)
            try:
                await self._writer.make_partitions(connection, entries)
                await self._move(connection, move, entries)
            except DataError:
                raise UnreadableArchive(
                    f"the store cannot hold one of the hits after position {after} and up to {reached}"
                ) from None

    async def _move(
        self, connection: StoreConnection, move: dict[str, Any], entries: Sequence[Hit | Measure]
    ) -> None:
        async with connection.transaction():
            if not await connection.run(f"{_FOLDER}/move_import", **move):
                raise AnotherImport
            # The last statement, because its trigger takes a lock.
            with CopyIn(connection) as copy_in:
                await self._writer.copy(copy_in, entries)
