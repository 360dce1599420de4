"""Counting days that have ended, once, so that what traffic is made of is a sum over days."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Self

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.checkpoint import hold_checkpoint
from footfall.adapters.postgres.connections import Connections, connect
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.statements import statement
from footfall.adapters.postgres.turns import Turn, give_back, take
from footfall.application.ports import StoreUnavailable

# A day is counted when it ended this long ago, and when nothing has touched it for as long.
QUIET = timedelta(minutes=1)
# A day with fewer hits has no more to add up than a summary of it would.
SMALL = 500
# The classes of a page and day are written as digits as well when they are so many: to add up the numbers of a day
# takes as long as to add up some hundred classes one by one.
MANY = 500
POLL_SECONDS = 5.0
# After each day four times as long as the day took: the store belongs to ingestion.
REST = 4.0

_log = logging.getLogger(__name__)

_SETTINGS = """
    select
        set_config('synchronous_commit', 'off', false), set_config('work_mem', '64MB', false),
        set_config('max_parallel_workers_per_gather', '0', false), set_config('jit', 'off', false)
"""
_SEARCH_PATH = "select set_config('search_path', %s, false)"
_ONE_STATE = "set transaction isolation level repeatable read"
_COUNTED = ("counted_share", "counted_vitals", "counted_visitors")
_COUNT = ("count_sessions", "count_hits", "count_vitals", "count_visitors")
_WRITE = (
    "erase_day_shares",
    "write_day_shares",
    "erase_day_vitals",
    "write_day_vitals",
    "erase_day_visitors",
    "write_day_visitors",
)


class DayCounter:
    """Counts days on a connection of its own; one may work on a set of read models at a time.

    The checkpoint is held only to say that a day is being counted, and to write what was found. In between others
    go on, and when one of them touches the day, what was found is thrown away.
    """

    def __init__(
        self, connection: AsyncConnection[DictRow], quiet: timedelta | None, *, small: int, many: int
    ) -> None:
        self._connection = connection
        self._quiet = quiet
        self._small = small
        self._many = many

    @classmethod
    @asynccontextmanager
    async def begun(
        cls,
        url: str,
        *,
        schema: str | None = None,
        quiet: timedelta | None = None,
        small: int = SMALL,
        many: int = MANY,
    ) -> AsyncIterator[Self | None]:
        """Lend the turn to count days, for the tables of a schema if one is given; None when somebody else has it.

        Without `quiet` every day is counted that has been touched since the last time, even if it goes on.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        connection = await connect(url)
        try:
            with translated():
                mine = await _prepared(connection, schema)
            yield cls(connection, quiet, small=small, many=many) if mine else None
            if mine and schema is None:
                with translated():
                    await give_back(Turn.SUMMARIES, connection)
        finally:
            await connection.close()

    async def count_next(self) -> bool:
        """Count the next day that is due; return whether there was one.

        Raises:
            OtherShape: another version counts the days; this one stays due.
            StoreUnavailable: the store does not answer; the day stays due.

        """
        with translated():
            day = await self._claim()
            if day is None:
                return False
            if day["state"] == "counting":
                await self._count(day)
                await self._write(day)
        return True

    async def _claim(self) -> DictRow | None:
        async with self._connection.transaction():
            await hold_checkpoint(self._connection)
            values = {"quiet": self._quiet, "small": self._small}
            return await (await self._connection.execute(statement("summary/claim_day"), values)).fetchone()

    async def _count(self, day: Mapping[str, Any]) -> None:
        async with self._connection.transaction():
            await self._connection.execute(_ONE_STATE)
            await self._connection.execute(f"truncate {', '.join(_COUNTED)}")
            for name in _COUNT:
                await self._run(name, {**day, "many": self._many})

    async def _write(self, day: Mapping[str, Any]) -> None:
        async with self._connection.transaction():
            await hold_checkpoint(self._connection)
            if await self._run("keep_day", day):
                for name in _WRITE:
                    await self._run(name, day)

    async def _run(self, name: str, values: Mapping[str, Any]) -> int:
        return (await self._connection.execute(statement(f"summary/{name}"), values)).rowcount


class Summaries:
    """Keeps the days that have ended counted; any number may run, and a crash loses at most the day at hand."""

    def __init__(self, connections: Connections, url: str) -> None:
        self._connections = connections
        self._url = url

    async def run(self) -> None:
        """Count what is due until cancelled; an unreachable store is tried again."""
        while True:
            try:
                await self.work()
            except StoreUnavailable:
                _log.warning("days that have ended cannot be counted yet")
            await asyncio.sleep(POLL_SECONDS)

    async def work(self) -> None:
        """Count everything that is due now.

        Raises:
            StoreUnavailable: the store does not answer; what is left stays due.

        """
        if not await self._is_due():
            return
        async with DayCounter.begun(self._url, quiet=QUIET) as counter:
            while counter is not None and await self._count_next(counter):
                pass

    async def _is_due(self) -> bool:
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("summary/day_is_due"), {"quiet": QUIET})
            row = await cursor.fetchone()
        return row is not None and bool(row["due"])

    async def _count_next(self, counter: DayCounter) -> bool:
        started = time.perf_counter()
        counted = await counter.count_next()
        await asyncio.sleep((time.perf_counter() - started) * REST)
        return counted


async def _prepared(connection: AsyncConnection[DictRow], schema: str | None) -> bool:
    """Make the working tables; return whether nobody else counts the days of the read models in use."""
    await connection.execute(_SETTINGS)
    # A plan for a quiet day would be kept for a busy one.
    connection.prepare_threshold = None
    if schema is not None:
        await connection.execute(_SEARCH_PATH, (f"{schema}, public",))
    elif not await take(Turn.SUMMARIES, connection):
        return False
    for name in _COUNTED:
        await connection.execute(statement(f"summary/{name}_table"))
    return True
