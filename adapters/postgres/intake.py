"""The way into the traffic log: group commit, one transaction for all hits that wait."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from datetime import datetime

from attrs import frozen
from psycopg import AsyncConnection, DataError, IntegrityError, errors
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.hit_rows import COPY, copy_row
from footfall.application.ports import Outcome, Stored, StoreUnavailable, Submission, UnstorableHit

MOST_WAITING = 20_000
MOST_IN_A_BATCH = 2_000
WRITE_SECONDS = 10

_log = logging.getLogger(__name__)


@frozen(eq=False)
class _Waiting:
    submission: Submission
    outcome: asyncio.Future[Outcome]

    def resolve(self, outcome: Outcome) -> None:
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def refuse(self, reason: Exception) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(reason)


class PostgresIntake:
    """Intake with one connection of its own; while a batch commits, the next one gathers.

    The latency of a hit is that of one or two commits, the throughput is the size of a batch times commits a second.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._connection: AsyncConnection[DictRow] | None = None
        self._waiting: deque[_Waiting] = deque()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False
        self._months: set[tuple[int, int]] = set()

    async def submit(self, submission: Submission) -> Outcome:
        """Return when the hit is committed."""
        if self._draining or len(self._waiting) >= MOST_WAITING:
            raise StoreUnavailable("too many hits wait for the store")
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(submission, outcome))
        self._idle.clear()
        self._arrived.set()
        return await outcome

    async def run(self) -> None:
        """Write what arrives until cancelled; then close the connection."""
        try:
            while True:
                await self._arrived.wait()
                await self._write(self._take())
                if not self._waiting:
                    self._arrived.clear()
                    self._idle.set()
        finally:
            await self._disconnect()

    async def drain(self) -> None:
        """Refuse new hits and return when none waits any more."""
        self._draining = True
        await self._idle.wait()

    def _take(self) -> list[_Waiting]:
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_IN_A_BATCH))]

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        # Not a time-out around the driver's call: it would wait for a server that does not answer a cancel either.
        writing = asyncio.ensure_future(self._store(batch))
        await asyncio.wait([writing], timeout=WRITE_SECONDS)
        if not writing.done():
            writing.cancel()
            self._connection = None
            self._refuse(batch, StoreUnavailable("the store did not answer in time"))
            return
        if failure := writing.exception():
            await self._disconnect()
            self._refuse(batch, failure)

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        try:
            await self._copy(batch)
        except (DataError, IntegrityError) as refusal:
            await self._store_apart(batch, refusal)
        else:
            for waiting in batch:
                waiting.resolve(Stored())

    async def _store_apart(self, batch: Sequence[_Waiting], refusal: DataError | IntegrityError) -> None:
        """Find the hits that the store cannot hold, so that they alone are refused."""
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._store(batch[:middle])
            await self._store(batch[middle:])
            return
        _log.error("the store refused a hit", extra={"sqlstate": refusal.sqlstate})
        batch[0].refuse(UnstorableHit())

    async def _copy(self, batch: Sequence[_Waiting]) -> None:
        rows = "".join([copy_row(waiting.submission.hit) for waiting in batch]).encode()
        months = {_month(waiting.submission.hit.occurred_at) for waiting in batch}
        with translated():
            connection = await self._connected()
            await self._make_partitions(connection, months)
            try:
                await self._copy_rows(connection, rows)
            except errors.CheckViolation:
                # A partition that was there has been dropped (retention): make it again, once.
                self._months.clear()
                await self._make_partitions(connection, months)
                await self._copy_rows(connection, rows)

    async def _copy_rows(self, connection: AsyncConnection[DictRow], rows: bytes) -> None:
        # The one statement of its transaction: the lock that its trigger takes is held as shortly as can be.
        async with connection.cursor() as cursor, cursor.copy(COPY) as copy:
            await copy.write(rows)

    async def _make_partitions(
        self, connection: AsyncConnection[DictRow], months: set[tuple[int, int]]
    ) -> None:
        for year, month in months - self._months:
            await connection.execute(
                "select hit_partition(make_timestamptz(%s, %s, 1, 0, 0, 0))", (year, month)
            )
            self._months.add((year, month))

    async def _connected(self) -> AsyncConnection[DictRow]:
        if self._connection is None or self._connection.closed:
            self._connection = await connect(self._url)
        return self._connection

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    def _refuse(self, batch: Sequence[_Waiting], failure: BaseException) -> None:
        reason = failure if isinstance(failure, StoreUnavailable) else StoreUnavailable()
        if reason is not failure:
            _log.error("a batch of hits failed", exc_info=failure)
        for waiting in batch:
            waiting.refuse(reason)


def _month(at: datetime) -> tuple[int, int]:
    return at.year, at.month
