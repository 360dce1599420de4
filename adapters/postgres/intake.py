"""The way into the traffic log: group commit, one transaction for all requests that wait."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence

from psycopg import DataError

from footfall.adapters.postgres.admission import Asked, lock, save
from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.copying import CopyIn
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.hit_writer import HitWriter
from footfall.application.meters import Meters, NoMeters
from footfall.application.ports import StoreUnavailable, Submission
from footfall.domain.admission import Admission, Fate, admit
from footfall.domain.hit import Hit

MOST_WAITING = 20_000
MOST_IN_A_BATCH = 2_000
WRITE_SECONDS = 10
END_SECONDS = 1
GATHER_SECONDS = 0.004
QUIET_ROUNDS = 3

_log = logging.getLogger(__name__)
_STORED = Admission((Fate.STORED,))

_Outcome = asyncio.Future[Admission]
_Batch = Sequence[tuple[Submission, _Outcome]]


class PostgresIntake:
    """Intake with one connection of its own; while a batch commits, the next one gathers.

    The latency of a hit is that of one or two commits, the throughput is the size of a batch times commits a second.
    A batch that is not written within `patience` seconds is refused.
    """

    def __init__(self, url: str, *, meters: Meters | None = None, patience: float = WRITE_SECONDS) -> None:
        self._url = url
        self._patience = patience
        self._meters = meters or NoMeters()
        self._writer = HitWriter()
        self._waiting: deque[tuple[Submission, _Outcome]] = deque()
        self._hits_waiting = 0
        self._batch: _Batch = ()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._draining = False

    async def submit(self, submission: Submission) -> Admission:
        """Return when the request's hits are committed."""
        if self._draining or self._hits_waiting >= MOST_WAITING:
            raise StoreUnavailable("too many hits wait for the store")
        outcome: _Outcome = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._idle.clear()
            self._arrived.set()
        self._waiting.append((submission, outcome))
        self._hits_waiting += len(submission.entries)
        return await outcome

    async def run(self) -> None:
        """Write what arrives until cancelled; then close the connection."""
        while True:
            stalled = asyncio.get_running_loop().create_future()
            await self._watch(asyncio.ensure_future(self._write_batches(stalled)), stalled)

    def waiting(self) -> int:
        """Return how many hits wait for the next commit."""
        return self._hits_waiting

    async def drain(self) -> None:
        """Refuse new hits and return when none waits any more."""
        self._draining = True
        await self._idle.wait()

    async def _gather(self) -> None:
        """Wait for a request, and let those that are already on their way join it.

        A commit costs the same for one hit as for fifty: taking the first few that come would spend the processors
        on commits. Waiting ends as soon as the event loop has nothing new, or after a few milliseconds.
        """
        if not self._waiting:
            self._arrived.clear()
            self._idle.set()
            await self._arrived.wait()
        loop, quiet, seen = asyncio.get_running_loop(), 0, -1
        until = loop.time() + GATHER_SECONDS
        while quiet < QUIET_ROUNDS and not self._draining and loop.time() < until:
            quiet = quiet + 1 if len(self._waiting) == seen else 0
            seen = len(self._waiting)
            await asyncio.sleep(0)

    def _take(self) -> _Batch:
        batch = []
        hits = 0
        while self._waiting and hits < MOST_IN_A_BATCH:
            batch.append(self._waiting.popleft())
            hits += len(batch[-1][0].entries)
        self._hits_waiting -= hits
        return batch

    async def _watch(self, writing: asyncio.Future[None], stalled: asyncio.Future[None]) -> None:
        """Return when a batch was not written, and everybody who waits for it has been refused."""
        try:
            await asyncio.wait([writing, stalled], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            writing.cancel()
            await asyncio.wait([writing], timeout=END_SECONDS)
            raise
        if writing.done():
            self._refuse(writing.exception())
        else:
            # Not awaited: the driver would wait for a server that does not answer a cancel either.
            writing.cancel()
            self._refuse(StoreUnavailable("the store did not answer in time"))

    async def _write_batches(self, stalled: asyncio.Future[None]) -> None:
        """Write batch after batch over one connection until one fails; say so when one takes too long.

        A timer for each batch costs half a microsecond, a task for each would cost six.
        """
        loop = asyncio.get_running_loop()
        copy_in: CopyIn | None = None
        try:
            while True:
                await self._gather()
                self._batch = self._take()
                overdue = loop.call_later(self._patience, stalled.set_result, None)
                try:
                    copy_in = copy_in or CopyIn(await connect(self._url))
                    await self._store(copy_in, self._batch)
                    # The last batch of a busy hour may be megabytes, and nobody knows when the next one comes.
                    self._batch = ()
                finally:
                    overdue.cancel()
        finally:
            if copy_in is not None:
                copy_in.close()
                await copy_in.connection.close()

    async def _store(self, copy_in: CopyIn, batch: _Batch) -> None:
        hits = [entry.hit for submission, _ in batch for entry in submission.entries]
        with translated():
            await self._writer.make_partitions(copy_in.connection, hits)
            started = time.perf_counter()
            try:
                if _asks_nothing(batch):
                    stored = await self._copy(copy_in, batch, hits)
                else:
                    stored = await self._transact(copy_in, batch, {})
            except DataError:
                unstorable = await self._unstorable(copy_in, hits)
                _log.error("the store refused hits", extra={"hits": len(unstorable)})
                stored = await self._transact(copy_in, batch, unstorable)
            self._meters.commit(stored, time.perf_counter() - started)

    async def _copy(self, copy_in: CopyIn, batch: _Batch, hits: Sequence[Hit]) -> int:
        """Store everything: one statement is a transaction of its own, two trips to the server for the batch."""
        await self._writer.copy(copy_in, hits)
        for submission, outcome in batch:
            if not outcome.done():
                entries = len(submission.entries)
                outcome.set_result(_STORED if entries == 1 else Admission((Fate.STORED,) * entries))
        return len(hits)

    async def _transact(self, copy_in: CopyIn, batch: _Batch, unstorable: Mapping[int, Hit]) -> int:
        """Decide about each request, store what is admitted, and return how many hits that were."""
        async with copy_in.connection.transaction():
            locked = await lock(copy_in.connection, Asked.by([submission for submission, _ in batch]))
            admissions = [
                admit(locked.ledgers, submission.entries, submission.charge, unstorable)
                for submission, _ in batch
            ]
            await save(copy_in.connection, locked)
            # The last statement: the lock that its trigger takes is held as shortly as can be.
            admitted = _admitted(batch, admissions)
            await self._writer.copy(copy_in, admitted)
        for (_, outcome), admission in zip(batch, admissions, strict=True):
            if not outcome.done():
                outcome.set_result(admission)
        return len(admitted)

    async def _unstorable(self, copy_in: CopyIn, hits: Sequence[Hit]) -> dict[int, Hit]:
        """Find the hits that the store cannot hold, by trying ever smaller parts without keeping them."""
        try:
            async with copy_in.connection.transaction(force_rollback=True):
                await self._writer.copy(copy_in, hits)
        except DataError:
            if len(hits) == 1:
                return {id(hits[0]): hits[0]}
            middle = len(hits) // 2
            first = await self._unstorable(copy_in, hits[:middle])
            return first | await self._unstorable(copy_in, hits[middle:])
        return {}

    def _refuse(self, failure: BaseException | None) -> None:
        reason = failure if isinstance(failure, StoreUnavailable) else StoreUnavailable()
        if reason is not failure:
            _log.error("a batch of hits failed", exc_info=failure)
        for _, outcome in self._batch:
            if not outcome.done():
                outcome.set_exception(reason)


def _asks_nothing(batch: _Batch) -> bool:
    """Return whether everything in the batch is stored without a question."""
    for submission, _ in batch:
        if submission.charge is not None:
            return False
        for entry in submission.entries:
            if entry.idempotency is not None or entry.monthly_limit is not None:
                return False
    return True


def _admitted(batch: _Batch, admissions: Sequence[Admission]) -> list[Hit]:
    return [
        entry.hit
        for (submission, _), admission in zip(batch, admissions, strict=True)
        for entry, fate in zip(submission.entries, admission.fates, strict=False)
        if fate is Fate.STORED
    ]
