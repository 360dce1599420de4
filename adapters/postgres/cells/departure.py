"""The old place of a cell that moves, which stays in force until the end.

See docs/internals/servers/cells.md#moving-a-cell.

One connection holds all locks of the move, so that they end together, whatever happens to the command.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from time import monotonic
from typing import Any

from attrs import define, field, frozen
from psycopg import errors, sql

from footfall.adapters.postgres.cells.holders import OF_VACUUMS, OF_WRITERS, CellHeld, held
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.tables import begin, make_ready, on_each, tables_of
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, release_all, try_acquire
from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.application.ports.cells import MovedTo
from footfall.domain.cells.cell import CellRefused

REST_SECONDS = 0.1
# Jobs that delete hits or change read models hold these: each ends what it does, and finds its lock taken afterwards.
_JOBS = (
    AdvisoryLock.ERASURE,
    AdvisoryLock.RETENTION,
    AdvisoryLock.REBUILD,
    AdvisoryLock.COLUMNS,
    AdvisoryLock.UNDO,
    AdvisoryLock.VISITORS,
)
# Their triggers refuse writers at once; locked, they would let requests wait.
_REFUSING = ["cell_mark", "event", "hit", "idempotency", "pageview_quota"]


@frozen(kw_only=True)
class Patience:
    """How many seconds a move waits for a job or what holds a table, and for writers, which are refused meanwhile."""

    lock: float = 30.0
    writer: float = 1.0
    # In all its attempts together. The workers need another moment to follow.
    refusing: float = 4.0


USUAL = Patience()


@define(eq=False)
class Departure:
    """The old place of a cell, for as long as the cell moves."""

    connection: StoreConnection
    _url: str = field(repr=False)
    patience: Patience = USUAL
    # For how long writers have been refused.
    refused: float = field(default=0.0, init=False)

    async def hold_jobs(self) -> None:
        """Keep jobs away, and let writers note what they change, until the connection ends.

        Raises:
            CellHeld: a job, or a writer that began before, takes too long.
            StoreUnavailable: the server does not answer.

        """
        with translated():
            for lock in _JOBS:
                await self._hold(lock)
            await self.connection.run("cells/move/forget_notes")
            await self._hold(AdvisoryLock.NOTES)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[int]:
        """Let the connection see one state of the store; yield a position up to which it has all hits.

        Raises:
            CellHeld: a writer does not commit.

        """
        position = await self.high_water_mark()
        async with self.connection.transaction():
            await self.connection.run("cells/move/begin_snapshot")
            await begin(self.connection, self.patience.lock)
            yield position

    async def high_water_mark(self) -> int:
        """Return the position up to which all hits are committed.

        Raises:
            CellHeld: a writer does not commit.

        """
        until = monotonic() + self.patience.lock
        while True:
            try:
                cursor = await self.connection.execute(statement("cells/move/high_water_mark"))
            except errors.LockNotAvailable:
                if monotonic() > until:
                    raise await held(self._url, AdvisoryLock.MOVE) from None
                # New writers wait behind the question, and go on now.
                await asyncio.sleep(REST_SECONDS)
            else:
                [row] = await cursor.fetchall()
                return int(row["position"])

    async def notes(self, limit: int) -> AsyncIterator[dict[str, Any]]:
        """Take the keys of the rows that have changed since the last time, by table, so many at a time."""
        taken = limit
        while taken == limit:
            rows = await self.connection.rows("cells/move/take_notes", limit=limit)
            taken = sum(row["notes"] for row in rows)
            for row in rows:
                yield row

    @asynccontextmanager
    async def standstill(self) -> AsyncIterator["Standstill"]:
        """Refuse writers; what is done at the old place is committed at the end.

        Raises:
            CellHeld: something uses the store for too long; writers go on.
            CellRefused: the rest is not done in time; writers go on.
            StoreUnavailable: the server does not answer.

        """
        with translated():
            async with self.connection.transaction():
                await self._come_to_rest()
                began = monotonic()
                try:
                    async with asyncio.timeout(self.patience.refusing - self.refused) as limit:
                        await self._stop_writers()
                        yield Standstill(self.connection, self._url, limit)
                except TimeoutError:
                    raise CellRefused(
                        f"the last events could not be copied within {self.patience.refusing:.0f} s: try again later"
                    ) from None
                finally:
                    self.refused += monotonic() - began

    async def _hold(self, lock: AdvisoryLock) -> None:
        try:
            async with self.connection.transaction():
                await begin(self.connection, self.patience.lock)
                await self.connection.run("cells/move/hold_lock", number=lock)
        except errors.LockNotAvailable:
            raise await held(self._url, lock) from None

    async def _come_to_rest(self) -> None:
        """Stop the projector and vacuums, which a writer does not notice."""
        await begin(self.connection, self.patience.lock)
        try:
            await self.connection.run("database/migration/lock_checkpoint")
        except errors.LockNotAvailable:
            raise await held(self._url, modes=OF_WRITERS, table="projection_checkpoint") from None
        try:
            tables = await self._names(refusing=True) + await self._names(refusing=False)
            await on_each(self.connection, "end_vacuums", tables)
        except errors.LockNotAvailable:
            raise await held(self._url, modes=OF_VACUUMS) from None

    async def _stop_writers(self) -> None:
        patience = self.patience
        limits = {"wait": f"{patience.writer * 1000:.0f}", "idle": f"{patience.refusing * 1000:.0f}"}
        await self.connection.run("cells/move/limit_end", **limits)
        try:
            await self.connection.run("cells/move/stop_writers")
            await on_each(self.connection, "lock_shared", await self._names(refusing=False))
        except errors.LockNotAvailable:
            raise await held(self._url, AdvisoryLock.MOVE, modes=OF_WRITERS) from None

    async def _names(self, *, refusing: bool) -> list[str]:
        tables = await tables_of(self.connection)
        return [table.name for table in tables if (table.name in _REFUSING) is refusing]


@frozen
class Standstill:
    """The old place of a cell at which nothing writes, until the transaction ends."""

    _connection: StoreConnection
    _url: str = field(repr=False)
    _limit: asyncio.Timeout

    async def leave(self, to: MovedTo, from_mark: str, *, now: datetime) -> None:
        """Give the schema another name and put a sign in its place, which is in force with the commit.

        Raises:
            CellHeld: a writer that was refused does not end, or a row has changed after it was copied.

        """
        await self._end_refused_writers()
        name = str(schema_of(self._url))
        await self._connection.run("cells/move/leave", left=f"{name}_moved_{now:%Y%m%dt%H%M%S}")
        schema = sql.Identifier(name)
        await self._connection.run(compose("database/tables/create_schema", schema=schema))
        await self._connection.run("cells/move/make_sign")
        await self._connection.run("cells/move/put_sign", from_mark=from_mark, place=to.place, mark=to.mark)
        # A commit is not given up.
        self._limit.reschedule(None)

    async def _end_refused_writers(self) -> None:
        """Wait for a writer that has found the tables already, and is refused by their triggers.

        Reports are not waited for: a long one would keep writers away for as long.
        """
        try:
            await on_each(self._connection, "lock_shared", _REFUSING)
        except errors.LockNotAvailable:
            raise await held(self._url, AdvisoryLock.MOVE, modes=OF_WRITERS) from None
        if await self._connection.value("cells/move/count_notes"):
            raise CellHeld("the store of the cell was changed at the last moment: try again later")


@asynccontextmanager
async def departing(url: str, identity: CellIdentity, patience: Patience = USUAL) -> AsyncIterator[Departure]:
    """Keep every other move of the cell away: it would drop what this one has copied.

    Raises:
        CellHeld: another move is under way.
        StoreUnavailable: the server does not answer, or the store is another one.

    """
    async with await connect(url, identity.require) as connection:
        with translated():
            if not await try_acquire(AdvisoryLock.DEPARTURE, connection):
                raise await held(url, AdvisoryLock.DEPARTURE)
            await make_ready(connection)
        yield Departure(connection, url, patience)
        if not connection.closed:
            with translated():
                await release_all(connection)
