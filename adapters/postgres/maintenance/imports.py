"""Imports: the hits of a source with its mark and ledger, in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from attrs import define, field
from psycopg import DataError

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, sharing_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.adapters.postgres.intake.refused_bots import add_refused_bots
from footfall.adapters.postgres.maintenance.import_undo import ROWS, Undo
from footfall.adapters.postgres.projections.projector import WriterStalled
from footfall.application.ports.imports import (
    ImportRecord,
    ImportUnderWay,
    LedgerKey,
    NamedSource,
    Projects,
    StoreBeingMoved,
    UnreadableSource,
)
from footfall.application.ports.traffic_log import NO_BOTS
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.hit import Hit

_FOLDER = "maintenance/imports"


@define
class PostgresImports:
    """Imports over the traffic log and the tables `site_import` and `import_ledger`."""

    _connections: Connections
    _rows_at_a_time: int = ROWS
    _writer: HitWriter = field(factory=HitWriter, init=False)

    async def find(self, site_id: int, source: NamedSource) -> ImportRecord | None:
        """Return the import of a source into a site; None when it has never begun."""
        row = await self._connections.row(f"{_FOLDER}/find", **_named(site_id, source))
        return None if row is None else ImportRecord(**row)

    async def begin(self, site_id: int, source: NamedSource, *, now: datetime) -> ImportRecord:
        """Return the import of a source into a site, begun or continued."""
        values = {**_named(site_id, source), "source": source.description, "now": now}
        row = await self._connections.row(f"{_FOLDER}/begin", **values)
        if row is None:
            raise ImportUnderWay
        return ImportRecord(**row)

    async def store(
        self,
        record: ImportRecord,
        hits: Sequence[Hit],
        *,
        mark: str,
        counts: Mapping[LedgerKey, int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        now: datetime,
    ) -> ImportRecord:
        """Store hits, add to the ledger and move the mark, all or nothing; return the import as it is then."""
        move = {"import_id": record.import_id, "steps": record.steps, "mark": mark, "now": now}
        async with self._connections.connection() as connection:
            try:
                await self._writer.make_partitions(connection, hits)
                return await self._store(connection, record, move, counts, bots, hits)
            except DataError:
                raise UnreadableSource(
                    "the store cannot hold one of the rows; nothing of its piece was stored"
                ) from None

    async def complete(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that the source has been read to its end."""
        values = {"import_id": record.import_id, "steps": record.steps, "now": now}
        await self._connections.run(f"{_FOLDER}/complete", **values)

    async def stop(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that a run has ended before the end of the source."""
        await self._connections.run(f"{_FOLDER}/stop", import_id=record.import_id, now=now)

    async def all(self) -> list[ImportRecord]:
        """Return all imports of all sites, by number."""
        return [ImportRecord(**row) for row in await self._connections.rows(f"{_FOLDER}/all")]

    async def ledger(self, import_id: int) -> dict[LedgerKey, int]:
        """Return how many rows were stored or left out."""
        rows = await self._connections.rows(f"{_FOLDER}/ledger", import_id=import_id)
        return {LedgerKey(row["day"], row["type"], row["reason"]): row["rows"] for row in rows}

    async def pageviews(self, record: ImportRecord, day: date) -> dict[str, int]:
        """Return the stored pageviews of an import on a UTC day by path; "" stands for none."""
        since = datetime.combine(day, time(), UTC)
        rows = await self._connections.rows(
            f"{_FOLDER}/pageviews",
            import_id=record.import_id,
            site_id=record.site_id,
            since=since,
            until=since + timedelta(days=1),
        )
        return {row["pathname"]: row["pageviews"] for row in rows}

    async def undo(self, record: ImportRecord, *, project: Projects, advance: Callable[[int], None]) -> None:
        """Remove the hits of an import, count what they were part of again, and forget the import."""
        async with (
            self._connections.connection() as connection,
            sharing_lock(AdvisoryLock.UNDO, connection) as allowed,
        ):
            if not allowed:
                raise StoreBeingMoved
            undo = await Undo.begun(connection, record, self._rows_at_a_time)
            while await undo.is_ahead_of_projections():
                # A writer that takes its time keeps the projector waiting, and this command with it.
                with suppress(WriterStalled):
                    if await project():
                        continue
                await undo.rest()
            await undo.run(advance)

    async def _store(
        self,
        connection: StoreConnection,
        record: ImportRecord,
        move: Mapping[str, Any],
        counts: Mapping[LedgerKey, int],
        bots: Mapping[RefusedBot, int],
        hits: Sequence[Hit],
    ) -> ImportRecord:
        async with connection.transaction():
            moved = await connection.row(f"{_FOLDER}/move", **move)
            if moved is None:
                raise ImportUnderWay
            await connection.run(f"{_FOLDER}/add_to_ledger", **_columns(record, counts))
            await add_refused_bots(connection, bots, record.import_id)
            if hits:
                # The last statement, because its trigger takes a lock.
                with CopyIn(connection) as copy_in:
                    await self._writer.copy_imported(copy_in, hits, record.import_id)
        return ImportRecord(**moved)


def _named(site_id: int, source: NamedSource) -> dict[str, Any]:
    return {"site_id": site_id, "format": source.format, "source_key": source.key}


def _columns(record: ImportRecord, counts: Mapping[LedgerKey, int]) -> dict[str, Any]:
    """Return the counts as columns, in the order of their key, so that two imports never lock each other."""
    keys = sorted(counts)
    return {
        "site_id": record.site_id,
        "import_id": record.import_id,
        "days": [key.day for key in keys],
        "types": [key.type for key in keys],
        "reasons": [key.reason for key in keys],
        "rows": [counts[key] for key in keys],
    }
