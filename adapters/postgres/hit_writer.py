"""Writing hits: COPY into the partitioned table, with a partition for every month that is needed."""

from collections.abc import Sequence

from psycopg import AsyncConnection, errors
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow

from footfall.adapters.postgres.copying import CopyIn
from footfall.adapters.postgres.hit_rows import COPY, copy_row
from footfall.domain.hit import Hit

_PARTITION = "select hit_partition(make_timestamptz(%s, %s, 1, 0, 0, 0))"


class HitWriter:
    """Copies hits over a connection, and remembers which months have their partition."""

    def __init__(self) -> None:
        self._months: set[tuple[int, int]] = set()

    async def make_partitions(self, connection: AsyncConnection[DictRow], hits: Sequence[Hit]) -> None:
        """Make the partitions that these hits need, each in a transaction of its own."""
        for month in {(hit.occurred_at.year, hit.occurred_at.month) for hit in hits} - self._months:
            await connection.execute(_PARTITION, month)
            self._months.add(month)

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
