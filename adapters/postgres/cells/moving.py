"""The move of a cell: its store is copied to another place while nothing writes to it (docs/operations/cells.md).

One transaction at the old place keeps writers away for as long as the copy takes, and ends by giving the schema another
name. When it ends in any other way, the old place is in force as before.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import field, frozen
from psycopg import errors, sql

from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.tables import analyze, copy_rows, counted, tables_of
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, release_all, try_acquire
from footfall.adapters.postgres.database.connections import Connections, StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.application.ports.cells import MovedTo
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.cells.cell import CellRefused

# The longest wait for what uses the store; its writers are refused meanwhile.
LOCK_SECONDS = 30.0
# Of jobs that change read models or files: each ends what it does, and finds its lock taken afterwards.
_JOBS = (
    AdvisoryLock.ERASURE,
    AdvisoryLock.RETENTION,
    AdvisoryLock.REBUILD,
    AdvisoryLock.SUMMARIES,
    AdvisoryLock.COLUMNS,
)
_NAMES = {
    AdvisoryLock.ERASURE: "the erasure of a site",
    AdvisoryLock.RETENTION: "retention",
    AdvisoryLock.REBUILD: "a rebuild of the projections",
    AdvisoryLock.SUMMARIES: "the counting of days",
    AdvisoryLock.COLUMNS: "the closing of days",
    AdvisoryLock.MOVE: "a writer",
    AdvisoryLock.DEPARTURE: "another move",
}
# Their triggers refuse writers at once; locked, they would let requests wait.
_REFUSING = ("cell_mark", "event", "hit", "idempotency", "pageview_quota")


@frozen
class Departure:
    """The old place of a cell, at which nothing writes until the transaction ends."""

    _connection: StoreConnection
    _schema: str

    async def copy_to(self, target_url: str, cell: str, mark: str) -> None:
        """Put all rows into the store at the new place, which has the new mark then, and compare their numbers.

        Raises:
            CellRefused: the tables there are those of another version, or the copy differs.
            StoreUnavailable: one of the two places does not answer.

        """
        with translated():
            async with await connect(target_url) as target:
                async with target.transaction():
                    await target.execute(
                        statement("cells/move/begin"), {"milliseconds": str(int(LOCK_SECONDS * 1000))}
                    )
                    await copy_rows(self._connection, target)
                    await target.execute(statement("cells/move/take_mark"), {"cell": cell, "mark": mark})
                await analyze(target)
                here, there = await counted(self._connection), await counted(target)
        if differing := [name for name, rows in here.items() if there.get(name) != rows]:
            raise CellRefused(f"the copy has another number of rows in {', '.join(differing)}")

    async def leave(self, to: MovedTo, from_mark: str, *, now: datetime) -> None:
        """Give the schema another name and put a sign in its place, which is in force with the commit."""
        schema, left = sql.Identifier(self._schema), f"{self._schema}_moved_{now:%Y%m%dt%H%M%S}"
        with translated():
            # A writer that has found these tables already, and is refused by their triggers, ends before.
            # Reports are not waited for: a long one would keep writers away for as long.
            tables = sql.SQL(", ").join(map(sql.Identifier, _REFUSING))
            await self._connection.execute(compose("cells/move/lock_shared", tables=tables))
            await self._connection.execute(
                compose("cells/move/leave", schema=schema, left=sql.Identifier(left))
            )
            await self._connection.execute(compose("cells/create_schema", schema=schema))
            await self._connection.execute(compose("cells/move/make_sign", schema=schema))
            values = {"from_mark": from_mark, "place": to.place, "mark": to.mark}
            await self._connection.execute(compose("cells/move/put_sign", schema=schema), values)


@asynccontextmanager
async def moving_alone(url: str) -> AsyncIterator[None]:
    """Keep every other move of the cell away: it would drop what this one has copied.

    Raises:
        CellRefused: another move is under way.
        StoreUnavailable: the server does not answer.

    """
    async with await connect(url) as connection:
        with translated():
            if not await try_acquire(AdvisoryLock.DEPARTURE, connection):
                moves = await _holders(url, AdvisoryLock.DEPARTURE)
                raise CellRefused(f"the store of the cell is in use by {moves}: try again later")
        yield
        with translated():
            await release_all(connection)


@asynccontextmanager
async def departing(url: str, identity: CellIdentity) -> AsyncIterator[Departure]:
    """Keep everything from writing to the store of a cell; what is done there is committed at the end.

    Raises:
        CellRefused: something uses the store for too long.
        StoreUnavailable: the server does not answer.

    """
    with translated():
        async with await connect(url, identity.require) as connection, connection.transaction():
            await connection.execute(
                statement("cells/move/begin"), {"milliseconds": str(int(LOCK_SECONDS * 1000))}
            )
            try:
                await _stop_writers(connection)
            except errors.LockNotAvailable:
                # The transaction has failed, and its locks are gone: what it has waited for is still there.
                raise CellRefused(
                    f"the store of the cell is in use by {await _holders(url, *_JOBS, AdvisoryLock.MOVE)}: "
                    "try again later"
                ) from None
            yield Departure(connection, str(schema_of(url)))


async def _holders(url: str, *locks: AdvisoryLock) -> str:
    """Return what has locks that a move waits for, in words for an operator."""
    async with await connect(url) as connection:
        # A move waits for locks of tables once it keeps writers away.
        values = {"numbers": list(locks), "of_tables": AdvisoryLock.MOVE in locks}
        rows = await (await connection.execute(statement("cells/move/holders"), values)).fetchall()
    found = [
        f"{_NAMES.get(row['number'], 'another connection')} (process {row['pid']} of the server"
        f"{', from ' + row['host'] if row['host'] else ''}, for {row['seconds']} s)"
        for row in rows
    ]
    return " and ".join(found) or "something that has just ended"


async def _stop_writers(connection: StoreConnection) -> None:
    # Jobs may take a while to end, and writers go on until they have.
    for lock in (*_JOBS, AdvisoryLock.MOVE):
        await connection.execute(statement("cells/move/hold_lock"), {"number": lock})
    await connection.execute(statement("database/migration/lock_checkpoint"))
    others = [table.identifier for table in await tables_of(connection) if table.name not in _REFUSING]
    await connection.execute(compose("cells/move/lock_shared", tables=sql.SQL(", ").join(others)))


@frozen
class PostgresMoveSigns:
    """MoveSigns over the store at the place of a cell.

    The connections of the pool have known the store before it moved; a new one of its own is made where there is none.
    """

    _connections: Connections
    _url: str = field(repr=False)
    _mark: str = field(repr=False)

    async def read(self) -> MovedTo | None:
        """Return where the cell is now; None when it has not moved."""
        try:
            async with self._connections.connection() as connection:
                return await read_sign(connection, self._mark)
        except StoreUnavailable:
            async with await connect(self._url) as connection:
                with translated():
                    return await read_sign(connection, self._mark)


async def read_sign(connection: StoreConnection, mark: str) -> MovedTo | None:
    """Return where the cell whose store had this mark is now; None when it has not moved."""
    [found] = await (await connection.execute(statement("cells/move/is_moved"))).fetchall()
    if not found["moved"]:
        return None
    row = await (await connection.execute(statement("cells/move/read_sign"), {"mark": mark})).fetchone()
    return None if row is None else MovedTo(row["place"], row["mark"])
