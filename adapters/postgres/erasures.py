"""Erasing deleted sites in PostgreSQL: every table with a column `site_id`, and what the journal says of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import frozen
from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.statements import statement
from footfall.adapters.postgres.turns import Turn, taking
from footfall.application.erasure import Due, ErasureTurn
from footfall.application.journal import ERASED
from footfall.application.streams import site_stream

_WAITING = "select exists (select from erasure where due_at <= %s) as waiting"
_NEXT = """
    select deleted_site as site_id, deleted_at, round
    from erasure
    where due_at <= %s
    order by due_at, deleted_site
    limit 1
"""
_FINISH = "update erasure set round = round + 1, due_at = %s where deleted_site = %s and round = %s"
_ERASING = "set local footfall.erasing = 'on'"
# Nobody was promised that a slice is erased; what finishes a round waits for the disk, and for all before it.
_UNHURRIED = "set local synchronous_commit = off"
# Read models change in the hands of whoever holds the checkpoint, and of nobody else.
_CHECKPOINT = "select position from projection_checkpoint where name = 'reports' for update"
# Rows that somebody else has locked are left to the next round: the eraser waits for nobody, so that it cannot be part
# of a deadlock in which a batch of hits would be the victim.
_ERASE = """
    delete from {table}
    where ctid = any(array(
        select ctid from {table} where site_id = %(site_id)s limit %(limit)s for update skip locked
    ))
"""


@frozen
class _Table:
    schema: str
    name: str
    holds_hits: bool


class PostgresErasures:
    """Erasures over the table `erasure`, which the database itself fills when a site is deleted."""

    def __init__(self, connections: Connections, url: str) -> None:
        self._connections = connections
        self._url = url

    async def waiting(self, now: datetime) -> bool:
        """Whether a round is due."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute(_WAITING, (now,))).fetchone()
        return row is not None and bool(row["waiting"])

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[ErasureTurn | None]:
        """Lend the turn to erase, with a connection of its own; None when somebody else has it."""
        async with taking(Turn.ERASURE, self._url) as connection:
            yield None if connection is None else _Turn(connection)


class _Turn:
    """The tables of a round are looked up when it begins; those in which nothing is found are not asked again."""

    def __init__(self, connection: AsyncConnection[DictRow]) -> None:
        self._connection = connection
        self._tables: list[_Table] = []

    async def next_due(self, now: datetime) -> Due | None:
        """Return the site whose round has been due for the longest time."""
        with translated():
            row = await (await self._connection.execute(_NEXT, (now,))).fetchone()
            if row is None:
                return None
            cursor = await self._connection.execute(statement("erasable_tables"))
            self._tables = [_Table(**found) for found in await cursor.fetchall()]
        return Due(**row)

    async def erase_some(self, site_id: int, limit: int) -> int:
        """Erase rows of the first table that has some; at last what the journal says."""
        with translated():
            while self._tables:
                if rows := await self._erase_rows(self._tables[0], site_id, limit):
                    return rows
                del self._tables[0]
            return await self._erase_decisions(site_id)

    async def finish_round(self, due: Due, *, next_at: datetime | None) -> None:
        """Move the site to its next round."""
        with translated():
            await self._connection.execute(_FINISH, (next_at, due.site_id, due.round))

    async def _erase_rows(self, table: _Table, site_id: int, limit: int) -> int:
        delete = sql.SQL(_ERASE).format(table=sql.Identifier(table.schema, table.name))
        try:
            async with self._connection.transaction():
                await self._connection.execute(_ERASING)
                await self._connection.execute(_UNHURRIED)
                if not table.holds_hits:
                    await self._connection.execute(_CHECKPOINT)
                cursor = await self._connection.execute(delete, {"site_id": site_id, "limit": limit})
                return cursor.rowcount
        except errors.UndefinedTable:
            return 0  # a month that was dropped meanwhile

    async def _erase_decisions(self, site_id: int) -> int:
        parameters = {"site_id": site_id, "stream": site_stream(site_id), "erased": ERASED}
        async with self._connection.transaction():
            await self._connection.execute(_ERASING)
            return (await self._connection.execute(statement("erase_decisions"), parameters)).rowcount
