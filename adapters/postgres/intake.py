"""The way into the traffic log: group commit, one transaction for all requests that wait."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence

from attrs import frozen
from psycopg import AsyncConnection, DataError
from psycopg.rows import DictRow

from footfall.adapters.postgres.admission import Asked, lock, save
from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.hit_writer import HitWriter
from footfall.application.meters import Meters, NoMeters
from footfall.application.ports import StoreUnavailable, Submission
from footfall.domain.admission import Admission, Entry, Fate, admit
from footfall.domain.hit import Hit

MOST_WAITING = 20_000
MOST_IN_A_BATCH = 2_000
WRITE_SECONDS = 10
GATHER_SECONDS = 0.004
QUIET_ROUNDS = 3

_log = logging.getLogger(__name__)
_STORED = Admission((Fate.STORED,))


@frozen(eq=False)
class _Waiting:
    submission: Submission
    outcome: asyncio.Future[Admission]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.submission.entries

    def resolve(self, admission: Admission) -> None:
        if not self.outcome.done():
            self.outcome.set_result(admission)

    def refuse(self, reason: Exception) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(reason)


class PostgresIntake:
    """Intake with one connection of its own; while a batch commits, the next one gathers.

    The latency of a hit is that of one or two commits, the throughput is the size of a batch times commits a second.
    """

    def __init__(self, url: str, *, meters: Meters | None = None) -> None:
        self._url = url
        self._meters = meters or NoMeters()
        self._connection: AsyncConnection[DictRow] | None = None
        self._writer = HitWriter()
        self._waiting: deque[_Waiting] = deque()
        self._hits_waiting = 0
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False

    async def submit(self, submission: Submission) -> Admission:
        """Return when the request's hits are committed."""
        if self._draining or self._hits_waiting >= MOST_WAITING:
            raise StoreUnavailable("too many hits wait for the store")
        outcome: asyncio.Future[Admission] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(submission, outcome))
        self._hits_waiting += len(submission.entries)
        self._idle.clear()
        self._arrived.set()
        return await outcome

    async def run(self) -> None:
        """Write what arrives until cancelled; then close the connection."""
        try:
            while True:
                await self._arrived.wait()
                await self._gather()
                await self._write(self._take())
                if not self._waiting:
                    self._arrived.clear()
                    self._idle.set()
        finally:
            await self._disconnect()

    def waiting(self) -> int:
        """Return how many hits wait for the next commit."""
        return self._hits_waiting

    async def drain(self) -> None:
        """Refuse new hits and return when none waits any more."""
        self._draining = True
        await self._idle.wait()

    async def _gather(self) -> None:
        """Let requests that are already on their way join the batch.

        A commit costs the same for one hit as for fifty: taking the first few that come would spend the processors
        on commits. Waiting ends as soon as the event loop has nothing new, or after a few milliseconds.
        """
        loop, quiet, seen = asyncio.get_running_loop(), 0, -1
        until = loop.time() + GATHER_SECONDS
        while quiet < QUIET_ROUNDS and not self._draining and loop.time() < until:
            quiet = quiet + 1 if len(self._waiting) == seen else 0
            seen = len(self._waiting)
            await asyncio.sleep(0)

    def _take(self) -> list[_Waiting]:
        batch: list[_Waiting] = []
        hits = 0
        while self._waiting and hits < MOST_IN_A_BATCH:
            batch.append(self._waiting.popleft())
            hits += len(batch[-1].entries)
        self._hits_waiting -= hits
        return batch

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
        asked = Asked.by([waiting.submission for waiting in batch])
        with translated():
            connection = await self._connected()
            await self._writer.make_partitions(connection, [entry.hit for entry in asked.entries])
            started = time.perf_counter()
            try:
                stored = await self._transact(connection, batch, asked, {})
            except DataError:
                unstorable = await self._unstorable(connection, [entry.hit for entry in asked.entries])
                _log.error("the store refused hits", extra={"hits": len(unstorable)})
                stored = await self._transact(connection, batch, asked, unstorable)
            self._meters.commit(stored, time.perf_counter() - started)

    async def _transact(
        self,
        connection: AsyncConnection[DictRow],
        batch: Sequence[_Waiting],
        asked: Asked,
        unstorable: Mapping[int, Hit],
    ) -> int:
        """Return how many hits were stored, when everybody has their outcome."""
        if asked.nothing and not unstorable:
            # One statement is a transaction of its own: two trips to the server for the whole batch.
            await self._writer.copy(connection, [entry.hit for entry in asked.entries])
            for waiting in batch:
                stored = (
                    Admission((Fate.STORED,) * len(waiting.entries)) if len(waiting.entries) > 1 else _STORED
                )
                waiting.resolve(stored)
            return len(asked.entries)
        async with connection.transaction():
            locked = await lock(connection, asked)
            admissions = [
                admit(locked.ledgers, waiting.entries, waiting.submission.charge, unstorable)
                for waiting in batch
            ]
            await save(connection, locked)
            # The last statement: the lock that its trigger takes is held as shortly as can be.
            admitted = _admitted(batch, admissions)
            await self._writer.copy(connection, admitted)
        for waiting, admission in zip(batch, admissions, strict=True):
            waiting.resolve(admission)
        return len(admitted)

    async def _unstorable(self, connection: AsyncConnection[DictRow], hits: Sequence[Hit]) -> dict[int, Hit]:
        """Find the hits that the store cannot hold, by trying ever smaller parts without keeping them."""
        try:
            async with connection.transaction(force_rollback=True):
                await self._writer.copy(connection, hits)
        except DataError:
            if len(hits) == 1:
                return {id(hits[0]): hits[0]}
            middle = len(hits) // 2
            first = await self._unstorable(connection, hits[:middle])
            return first | await self._unstorable(connection, hits[middle:])
        return {}

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


def _admitted(batch: Sequence[_Waiting], admissions: Sequence[Admission]) -> list[Hit]:
    return [
        entry.hit
        for waiting, admission in zip(batch, admissions, strict=True)
        for entry, fate in zip(waiting.entries, admission.fates, strict=False)
        if fate is Fate.STORED
    ]
