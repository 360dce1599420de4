"""Advisory locks: background work that one process does at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum

from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated

WAIT_SECONDS = 0.1


class AdvisoryLock(IntEnum):
    """The locks of background work by their numbers; 0001_first_release.sql lists the others and their common class.

    Those of pageviews begin at 1000 (intake/sql/measures.sql).
    """

    ERASURE = 5
    REBUILD = 6
    RETENTION = 7
    MAIL = 9
    COLUMNS = 10
    REPORTS = 11
    # In triggers, too.
    MOVE = 12
    ALERTS = 13
    # Held by the command that moves a cell, from before it makes room at the new place.
    DEPARTURE = 14
    # Held by a command that copies a cell: writers note the rows that they change.
    NOTES = 15
    # Shared by commands that take imports back.
    UNDO = 16
    VISITORS = 17
    # Where several services start on an empty store at once, one creates what it begins with.
    BEGINNING = 18


async def try_acquire(lock: AdvisoryLock, connection: StoreConnection) -> bool:
    """Acquire the lock for as long as the connection lasts; return False when another process holds it."""
    return bool(await connection.value("database/session/try_acquire", number=lock))


async def release(lock: AdvisoryLock, connection: StoreConnection) -> None:
    """Release the lock: a server notices the end of a connection only some time after it."""
    await connection.run("database/session/release", number=lock)


@asynccontextmanager
async def sharing_lock(lock: AdvisoryLock, connection: StoreConnection) -> AsyncIterator[bool]:
    """Share the lock with others of its kind; False while a process holds it alone."""
    [row] = await connection.rows("database/session/try_share", number=lock)
    try:
        yield bool(row["acquired"])
    finally:
        if row["acquired"] and not connection.closed:
            await connection.run("database/session/release_share", number=lock)


async def release_all(connection: StoreConnection) -> None:
    """Release all locks of the connection, also after the schema whose class they have got another name."""
    await connection.run("database/session/release_all")


@asynccontextmanager
async def holding_lock(lock: AdvisoryLock, url: str) -> AsyncIterator[StoreConnection | None]:
    """Lend a connection of its own that holds the lock; None when another process holds it.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    connection = await connect(url)
    try:
        with translated():
            acquired = await try_acquire(lock, connection)
        yield connection if acquired else None
        if acquired and not connection.closed:
            with translated():
                await release(lock, connection)
    finally:
        await connection.close()


@asynccontextmanager
async def waiting_for_lock(lock: AdvisoryLock, url: str) -> AsyncIterator[None]:
    """Hold the lock over a connection of its own, as soon as no other process does.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    while True:
        async with holding_lock(lock, url) as connection:
            if connection is not None:
                yield
                return
        await asyncio.sleep(WAIT_SECONDS)
