"""Writing hits: COPY into the partitioned table, with a partition for every month that is needed."""

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
from footfall.adapters.postgres.intake.partitions import make_partition
from footfall.domain.tracking.hit import Hit


@define
class HitWriter:
    """Copies hits over a connection, and remembers which months have their partition."""

    _months: set[tuple[int, int]] = field(factory=set, init=False)

    async def make_partitions(self, connection: StoreConnection, hits: Sequence[Hit]) -> None:
        """Make the partitions that these hits need, each in a transaction of its own."""
        for year, month in {(hit.occurred_at.year, hit.occurred_at.month) for hit in hits} - self._months:
            await make_partition(connection, year, month)
            self._months.add((year, month))

    async def copy(self, copy_in: CopyIn, hits: Sequence[Hit]) -> None:
        """Insert the hits; outside a transaction they are committed when this returns."""
        if not hits:
            return
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
