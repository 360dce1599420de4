"""Settings of a connection, most of them for the transaction at hand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from psycopg.pq import TransactionStatus

from footfall.adapters.postgres.database.connections import StoreConnection


async def limit_statements(connection: StoreConnection, seconds: float) -> None:
    """Cancel statements of this transaction that take longer; 0 stands for no limit."""
    milliseconds = str(round(seconds * 1000))
    await connection.run("database/session/limit_statements", milliseconds=milliseconds)


async def avoid_nested_loops(connection: StoreConnection) -> None:
    """Make the planner prefer hash joins in this transaction.

    Filters that occur together look rarer to it than they are, and then a nested loop compares each of a hundred
    thousand sessions with each conversion. Working tables of the projector have no statistics at all.
    """
    await connection.run("database/session/avoid_nested_loops")


@asynccontextmanager
async def without_nested_loops(connection: StoreConnection) -> AsyncIterator[None]:
    """Avoid nested loops in some statements of this transaction, and allow them in those that follow, if any can."""
    await avoid_nested_loops(connection)
    try:
        yield
    finally:
        # Also after a refusal, as reports of one answer share a transaction; a failed one takes no more statements.
        if connection.info.transaction_status == TransactionStatus.INTRANS:
            await connection.run("database/session/allow_nested_loops")


async def keep_index_order(connection: StoreConnection) -> None:
    """Make the planner read rows in the order of an index in this transaction, instead of sorting all of them.

    Where it takes rows for few that have become many, it would sort them again for every few that are asked for.
    """
    await connection.run("database/session/keep_index_order")


async def allow_erasing(connection: StoreConnection) -> None:
    """Let this transaction change and delete rows of the two logs, which their triggers refuse otherwise."""
    await connection.run("database/session/allow_erasing")


async def commit_without_waiting(connection: StoreConnection) -> None:
    """Let this transaction commit before it is on the disk: for work that is repeated after a crash."""
    await connection.run("database/session/commit_without_waiting")


async def limit_lock_waits(connection: StoreConnection) -> None:
    """Give up waiting for a lock after half a second in this transaction.

    That is before the server takes two waiting transactions for a deadlock, and ends one of them.
    """
    await connection.run("database/session/limit_lock_waits")
