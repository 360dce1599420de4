"""Turns: work in the background that one process does at a time, whichever comes first."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.failures import translated

# Held by the session of the connection, so that the lock ends with its holder.
_TAKE = "select pg_try_advisory_lock(1181708916, %s) as mine"
_GIVE_BACK = "select pg_advisory_unlock(1181708916, %s)"


class Turn(IntEnum):
    """What there are turns for, by the number of its advisory lock (their class is in 0001_logs.sql)."""

    ERASURE = 5
    REBUILD = 6
    RETENTION = 7
    SUMMARIES = 8


async def take(turn: Turn, connection: AsyncConnection[DictRow]) -> bool:
    """Take the turn for as long as the connection lasts; return False when somebody else has it."""
    row = await (await connection.execute(_TAKE, (turn,))).fetchone()
    return row is not None and bool(row["mine"])


async def give_back(turn: Turn, connection: AsyncConnection[DictRow]) -> None:
    """Let the next one have the turn; a server notices the end of a connection only some time after it."""
    await connection.execute(_GIVE_BACK, (turn,))


@asynccontextmanager
async def taking(turn: Turn, url: str) -> AsyncIterator[AsyncConnection[DictRow] | None]:
    """Lend a connection of its own for as long as the turn lasts; None when somebody else has it.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    connection = await connect(url)
    try:
        with translated():
            mine = await take(turn, connection)
        yield connection if mine else None
        if mine and not connection.closed:
            with translated():
                await give_back(turn, connection)
    finally:
        await connection.close()
