"""Writing hits and measures: COPY into their tables; for every month of hits a partition is made first."""

from collections.abc import Sequence

from attrs import define, field
from psycopg import errors
from psycopg.pq import TransactionStatus

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.intake.hit_rows import (
    COPY,
    COPY_IMPORTED,
    copy_imported_row,
    copy_row,
)
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.adapters.postgres.intake.measure_rows import COPY as COPY_MEASURES
from footfall.adapters.postgres.intake.measure_rows import copy_row as copy_measure
from footfall.adapters.postgres.intake.measure_rows import totals
from footfall.adapters.postgres.intake.partitions import make_partition
from footfall.domain.tracking.engagement import Measure
from footfall.domain.tracking.hit import Hit


@define
class HitWriter:
    """Copies hits and measures over a connection, and remembers which months have their partition."""

    _months: set[tuple[int, int]] = field(factory=set, init=False)

    async def make_partitions(self, connection: StoreConnection, entries: Sequence[Hit | Measure]) -> None:
        """Make the partitions that the hits among these need, each in a transaction of its own."""
        times = [hit.occurred_at for hit in entries if isinstance(hit, Hit)]
        for year, month in {(at.year, at.month) for at in times} - self._months:
            await make_partition(connection, year, month)
            self._months.add((year, month))

    async def copy(self, copy_in: CopyIn, entries: Sequence[Hit | Measure]) -> int:
        """Insert hits and measures, and return the number of hits.

        Outside a transaction those of one kind are committed when this returns; reports take one.
        """
        hits = [entry for entry in entries if isinstance(entry, Hit)]
        measures: Sequence[Measure] = ()
        if len(hits) < len(entries):
            # Before the lock of the log, which the first row takes.
            measures = await totals(
                copy_in.connection, [entry for entry in entries if isinstance(entry, Measure)]
            )
        if hits:
            await self._copy_hits(copy_in, hits)
        if measures:
            await copy_in.copy(COPY_MEASURES, b"".join(map(copy_measure, measures)))
        return len(hits)

    async def _copy_hits(self, copy_in: CopyIn, hits: Sequence[Hit]) -> None:
        rows = b"".join([copy_row(hit) for hit in hits])
        try:
            await copy_in.copy(COPY, rows)
        except errors.CheckViolation:
            # A partition that was there has been dropped (retention).
            self._months.clear()
            if copy_in.connection.info.transaction_status is not TransactionStatus.IDLE:
                raise
            await self.make_partitions(copy_in.connection, hits)
            await copy_in.copy(COPY, rows)

    async def copy_imported(self, copy_in: CopyIn, hits: Sequence[Hit], import_id: int) -> None:
        """Insert the hits of an import inside a transaction; their partitions have been made."""
        rows = b"".join([copy_imported_row(hit, import_id) for hit in hits])
        try:
            await copy_in.copy(COPY_IMPORTED, rows)
        except errors.CheckViolation:
            self._months.clear()
            raise
