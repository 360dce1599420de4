"""The way into the traffic log: group commit, one transaction for all requests that wait."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Container, Sequence

from attrs import define, field
from psycopg import DataError

from footfall.adapters.postgres.database.connections import UNCONFIRMED, Require, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.intake.admission import NeededRows, lock, save
from footfall.adapters.postgres.intake.doubtful_transactions import Doubts
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.metrics import Metrics, NoMetrics
from footfall.application.ports.traffic_log import CommitUnknown, Submission
from footfall.domain.tracking.admission import Admission, AdmissionOutcome, AdmissionState, admit
from footfall.domain.tracking.engagement import EngagementReport, Measure
from footfall.domain.tracking.hit import Hit

MOST_WAITING = 20_000
MOST_IN_A_COMMIT = 2_000
# A request is answered within the first; a batch is given up after the second, so that those who have waited for it
# are tried as well; a statement is ended by the server after the third, while the batch still waits for its answer.
ANSWER_SECONDS = 10.0
WRITE_SECONDS = 7.0
STATEMENT_SECONDS = 6.0
# With less time left, a request is refused instead of tried.
LEAST_SECONDS = 1.0
END_SECONDS = 1.0
REFUSING_SECONDS = 30.0
GATHER_SECONDS = 0.004
QUIET_ROUNDS = 3

_log = logging.getLogger(__name__)
_STORED = Admission((AdmissionOutcome.STORED,))

_Outcome = asyncio.Future[Admission]
_Requests = Sequence[tuple[Submission, _Outcome]]


@define
class _Batch:
    """Requests that are written together, their deadline, and their outcomes if the commit succeeds."""

    requests: _Requests = ()
    until: float = 0.0
    admissions: Sequence[Admission] = ()
    committed: asyncio.Future[bool] | None = None

    def refuse(self, reason: StoreUnavailable) -> None:
        for number, (_, outcome) in enumerate(self.requests):
            if not outcome.done():
                outcome.set_exception(self._unknown(number) or reason)

    def _unknown(self, number: int) -> CommitUnknown | None:
        if self.committed is None:
            return None
        stored = [fate is AdmissionOutcome.STORED for fate in self.admissions[number].outcomes]
        return CommitUnknown(stored, self.committed) if any(stored) else None


@define(eq=False)
class PostgresIntake:
    """Intake with one connection of its own; while a batch commits, the next one gathers.

    The latency of a hit is that of one or two commits, the throughput is the size of a batch times commits a second.
    The connection of a batch that is not written within `patience` seconds is cut, and its requests are refused.
    """

    _url: str = field(repr=False)
    _metrics: Metrics = field(factory=NoMetrics, kw_only=True)
    patience: float = field(default=WRITE_SECONDS, kw_only=True)
    _refusing_seconds: float = field(default=REFUSING_SECONDS, kw_only=True)
    _require: Require | None = field(default=None, kw_only=True)
    # How long the connection stays when no hits come; None: for good.
    _keep_seconds: float | None = field(default=None, kw_only=True)
    _writer: HitWriter = field(factory=HitWriter, init=False)
    _waiting: deque[tuple[Submission, _Outcome, float]] = field(factory=deque, init=False)
    _hits_waiting: int = field(default=0, init=False)
    _batch: _Batch = field(factory=_Batch, init=False)
    _copy_in: CopyIn | None = field(default=None, init=False)
    _doubts: Doubts = field(init=False)
    _arrived: asyncio.Event = field(factory=asyncio.Event, init=False)
    _idle: asyncio.Event = field(init=False)
    _draining: bool = field(default=False, init=False)
    _refused_at: float | None = field(default=None, init=False)
    _stalled: asyncio.Future[None] | None = field(default=None, init=False)

    @_doubts.default
    def _make_doubts(self) -> Doubts:
        return Doubts(self._url)

    @_idle.default
    def _set_idle(self) -> asyncio.Event:
        idle = asyncio.Event()
        idle.set()
        return idle

    async def submit(self, submission: Submission) -> Admission:
        """Return when the request's hits are committed."""
        if self._draining or self._hits_waiting >= MOST_WAITING:
            raise StoreUnavailable("too many hits wait for the store")
        loop = asyncio.get_running_loop()
        outcome: _Outcome = loop.create_future()
        if not self._waiting:
            self._idle.clear()
            self._arrived.set()
        self._waiting.append((submission, outcome, loop.time()))
        self._hits_waiting += len(submission.pending)
        return await outcome

    async def run(self) -> None:
        """Write submitted hits until cancelled; then close the connection."""
        try:
            while True:
                stalled = self._stalled = asyncio.get_running_loop().create_future()
                await self._watch(asyncio.ensure_future(self._write_batches(stalled)), stalled)
        finally:
            self._doubts.stop()

    def waiting(self) -> int:
        """Return how many hits wait for the next commit."""
        return self._hits_waiting

    def refusing(self) -> bool:
        """Return whether the last hits were refused, half a minute ago at most, and none was stored since."""
        return self._refused_at is not None and time.monotonic() - self._refused_at < self._refusing_seconds

    def give_up(self) -> None:
        """Refuse all requests that wait: the store does not answer."""
        if self._batch.requests and self._stalled is not None:
            _end(self._stalled)
        while self._waiting:
            submission, outcome, _ = self._waiting.popleft()
            self._hits_waiting -= len(submission.pending)
            _Batch([(submission, outcome)]).refuse(StoreUnavailable("the store does not answer"))

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

    async def _arrives(self) -> bool:
        """Return whether a request comes as long as the connection stays without one."""
        if self._waiting or self._keep_seconds is None:
            return True
        self._arrived.clear()
        self._idle.set()
        try:
            async with asyncio.timeout(self._keep_seconds):
                await self._arrived.wait()
        except TimeoutError:
            return False
        return True

    def _take(self) -> _Batch:
        """Take the next batch; requests that cannot be answered in time are refused."""
        now = asyncio.get_running_loop().time()
        requests: list[tuple[Submission, _Outcome]] = []
        hits, until = 0, now + self.patience
        while self._waiting and hits < MOST_IN_A_COMMIT:
            submission, outcome, since = self._waiting.popleft()
            self._hits_waiting -= len(submission.pending)
            if now > since + ANSWER_SECONDS - LEAST_SECONDS:
                _Batch([(submission, outcome)]).refuse(StoreUnavailable("the store was busy for too long"))
                continue
            until = min(until, since + ANSWER_SECONDS)
            requests.append((submission, outcome))
            hits += len(submission.pending)
        return _Batch(requests, until)

    async def _watch(self, writing: asyncio.Future[None], stalled: asyncio.Future[None]) -> None:
        """Return when a batch was not written, and all requests in it have been refused."""
        try:
            await asyncio.wait([writing, stalled], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            writing.cancel()
            await asyncio.wait([writing], timeout=END_SECONDS)
            raise
        if not writing.done():
            await self._end(writing)
        failure = writing.exception() if writing.done() and not writing.cancelled() else None
        self._refuse(failure or StoreUnavailable("the store did not answer in time"))

    async def _end(self, writing: asyncio.Future[None]) -> None:
        """Let the batch fail whose time is over; the server must not take anything more of it."""
        if self._copy_in is None:
            writing.cancel()  # it connects
        else:
            self._copy_in.cut()
        await asyncio.wait([writing], timeout=END_SECONDS)
        writing.cancel()

    async def _write_batches(self, stalled: asyncio.Future[None]) -> None:
        """Write batch after batch over one connection until one fails; say so when one takes too long.

        A timer for each batch costs half a microsecond, a task for each would cost six.
        """
        loop = asyncio.get_running_loop()
        copy_in: CopyIn | None = None
        self._copy_in = None
        try:
            while not stalled.done():
                if copy_in is not None and not await self._arrives():
                    copy_in.close()
                    await copy_in.connection.close()
                    copy_in = self._copy_in = None
                await self._gather()
                self._batch = self._take()
                if not self._batch.requests:
                    continue
                overdue = loop.call_at(self._batch.until, _end, stalled)
                try:
                    copy_in = self._copy_in = copy_in or await self._connected()
                    await self._store(copy_in, self._batch)
                    # The last batch of a busy hour may be megabytes, and it may be long until the next one.
                    self._batch = _Batch()
                finally:
                    overdue.cancel()
        finally:
            if copy_in is not None:
                copy_in.close()
                await copy_in.connection.close()

    async def _connected(self) -> CopyIn:
        connection = await connect(self._url, self._require)
        try:
            with translated():
                milliseconds = str(int(STATEMENT_SECONDS * 1000))
                await connection.run("intake/traffic_log/limit_statements", milliseconds=milliseconds)
            return CopyIn(connection)
        except BaseException:
            await connection.close()
            raise

    async def _store(self, copy_in: CopyIn, batch: _Batch) -> None:
        try:
            with translated():
                await self._write(copy_in, batch)
        except StoreUnavailable:
            # A server that still speaks has said that nothing was committed.
            if copy_in.transaction is not None and copy_in.connection.broken:
                # The transaction is that of rows, so that one was admitted.
                # A measure, or a report with a name, is sent again without harm: its sender is told so.
                hit = next((entry for entry in _admitted(batch) if isinstance(entry, Hit)), None)
                if hit is not None:
                    batch.committed = self._doubts.settle(copy_in.transaction, hit)
            raise

    async def _write(self, copy_in: CopyIn, batch: _Batch) -> None:
        # A measure that comes along with a hit can always be stored.
        entries = [entry.hit for submission, _ in batch.requests for entry in submission.pending]
        await self._writer.make_partitions(copy_in.connection, entries)
        copy_in.forget()
        started = time.perf_counter()
        try:
            if _asks_nothing(batch.requests):
                stored = await self._copy(copy_in, batch, entries)
            else:
                stored = await self._transact(copy_in, batch, frozenset())
        except DataError:
            unstorable = await self._unstorable(copy_in, entries)
            _log.error("the store refused hits", extra={"hits": len(unstorable)})
            stored = await self._transact(copy_in, batch, unstorable)
        self._acknowledge(copy_in, batch)
        self._metrics.commit(stored, time.perf_counter() - started)
        self._refused_at = None

    async def _copy(self, copy_in: CopyIn, batch: _Batch, entries: Sequence[Hit | Measure]) -> int:
        """Store everything, and return the number of hits.

        One statement is a transaction of its own, two trips to the server for the batch.
        """
        batch.admissions = [_all_stored(submission) for submission, _ in batch.requests]
        return await self._writer.copy(copy_in, entries)

    async def _transact(self, copy_in: CopyIn, batch: _Batch, unstorable: Container[int]) -> int:
        """Decide about each request, store the admitted hits, and return their number.

        `unstorable` holds the places of hits in the batch that the store refuses.
        """
        async with copy_in.connection.transaction():
            locked = await lock(
                copy_in.connection, NeededRows.of([submission for submission, _ in batch.requests])
            )
            batch.admissions = _admissions(locked.state, batch.requests, unstorable)
            await save(copy_in.connection, locked)
            # The last statement: the lock that its trigger takes is held as shortly as can be.
            return await self._writer.copy(copy_in, _admitted(batch))

    def _acknowledge(self, copy_in: CopyIn, batch: _Batch) -> None:
        """Give all requests of a batch their outcomes, if the commit survives the loss of this server.

        Raises:
            StoreUnavailable: it is committed on this server alone, although standbys are to have it, too.

        """
        if copy_in.connection.unconfirmed:
            batch.committed = asyncio.get_running_loop().create_future()
            batch.committed.set_result(True)
            raise StoreUnavailable(UNCONFIRMED)
        for (_, outcome), admission in zip(batch.requests, batch.admissions, strict=True):
            if not outcome.done():
                outcome.set_result(admission)

    async def _unstorable(
        self, copy_in: CopyIn, entries: Sequence[Hit | Measure], first: int = 0
    ) -> set[int]:
        """Find the places of what the store cannot hold, by trying ever smaller parts without keeping them."""
        try:
            async with copy_in.connection.transaction(force_rollback=True):
                await self._writer.copy(copy_in, entries)
        except DataError:
            if len(entries) == 1:
                return {first}
            middle = len(entries) // 2
            places = await self._unstorable(copy_in, entries[:middle], first)
            return places | await self._unstorable(copy_in, entries[middle:], first + middle)
        return set()

    def _refuse(self, failure: BaseException) -> None:
        self._refused_at = time.monotonic()
        if isinstance(failure, StoreUnavailable):
            self._batch.refuse(failure)
        else:
            _log.error("a batch of hits failed", exc_info=failure)
            self._batch.refuse(StoreUnavailable())
        self._batch = _Batch()


def _end(stalled: asyncio.Future[None]) -> None:
    if not stalled.done():
        stalled.set_result(None)


def _all_stored(submission: Submission) -> Admission:
    entries = len(submission.pending)
    return _STORED if entries == 1 else Admission((AdmissionOutcome.STORED,) * entries)


def _asks_nothing(requests: _Requests) -> bool:
    """Return whether everything in the batch is stored without a question, and by one statement."""
    kinds = {entry.hit.__class__ for submission, _ in requests for entry in submission.pending}
    if len(kinds) > 1 or EngagementReport in kinds:
        return False
    for submission, _ in requests:
        if submission.charge is not None:
            return False
        for entry in submission.pending:
            if (entry.idempotency or entry.measure) is not None or entry.monthly_limit is not None:
                return False
    return True


def _admissions(state: AdmissionState, requests: _Requests, unstorable: Container[int]) -> list[Admission]:
    admissions, first = [], 0
    for submission, _ in requests:
        places = {place for place in range(len(submission.pending)) if first + place in unstorable}
        admissions.append(admit(state, submission.pending, submission.charge, places))
        first += len(submission.pending)
    return admissions


def _admitted(batch: _Batch) -> list[Hit | Measure]:
    return [
        stored
        for (submission, _), admission in zip(batch.requests, batch.admissions, strict=True)
        for entry, fate in zip(submission.pending, admission.outcomes, strict=False)
        if fate is AdmissionOutcome.STORED
        for stored in entry.entries
    ]
