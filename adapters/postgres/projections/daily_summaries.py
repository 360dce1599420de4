"""Counting of days that have ended, so that breakdowns, vitals and visitors are sums of days."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Self

from attrs import define, field, frozen
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, release, try_acquire
from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import look_first_in
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.application.maintenance.pulse import Pulse
from footfall.application.ports.journal import StoreUnavailable

# A day is counted when it ended this long ago, and its last change is as long ago.
QUIET = timedelta(minutes=1)
# A day with fewer hits is read from its rows: a summary would not have fewer.
SMALL = 500
# The classes of a page and day are written as digits as well when they are so many: to add up the numbers of a day
# takes as long as to add up some hundred classes one by one.
MANY = 500
POLL_SECONDS = 5.0
# After each day four times as long as the day took: the store belongs to ingestion.
REST = 4.0

_log = logging.getLogger(__name__)

_WORKING_TABLES = ("counted_breakdown", "counted_vitals", "counted_visitors")
_COUNT = ("count_sessions", "count_hits", "count_vitals", "count_visitors")
_WRITE = (
    "erase_breakdown_day",
    "write_breakdown_day",
    "erase_vitals_day",
    "write_vitals_day",
    "erase_visitors_day",
    "write_visitors_day",
)


@define
class DayCounter:
    """Counts days on a connection of its own; one may work on a set of read models at a time.

    It locks the checkpoint to mark a day as being counted, and to write the result. In between the projector goes on;
    when it changes the day, the result is thrown away.
    """

    _connection: AsyncConnection[DictRow]
    _quiet: timedelta | None
    _small: int = field(kw_only=True)
    _many: int = field(kw_only=True)

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
        """Lend a counter of days, for the tables of a schema if one is given; None when another process counts.

        Without `quiet` every changed day is counted, even if it has not ended.

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
                    await release(AdvisoryLock.SUMMARIES, connection)
        finally:
            await connection.close()

    async def count_next(self) -> bool:
        """Count the next day that is due; return whether there was one.

        Raises:
            ProjectionVersionMismatch: another version counts the days; this one stays due.
            StoreUnavailable: the store does not answer; the day stays due.

        """
        with translated():
            day = await self.claim()
            if day is None:
                return False
            if day["state"] == "counting":
                await self.count(day)
                await self.write(day)
        return True

    async def claim(self) -> DictRow | None:
        """Return the next day that is due, after marking it as being counted, or as too small for that."""
        async with self._connection.transaction():
            await lock_checkpoint(self._connection)
            values = {"quiet": self._quiet, "small": self._small}
            return await (
                await self._connection.execute(statement("projections/summary/claim_day"), values)
            ).fetchone()

    async def count(self, day: Mapping[str, Any]) -> None:
        """Count a day from one snapshot, into the working tables."""
        async with self._connection.transaction():
            await self._run("begin_snapshot")
            await self._run("clear_working_tables")
            for name in _COUNT:
                await self._run(name, {**day, "many": self._many})

    async def write(self, day: Mapping[str, Any]) -> None:
        """Write what was counted, unless the day has changed since it was claimed.

        Raises:
            ProjectionVersionMismatch: another version counts the days.

        """
        async with self._connection.transaction():
            await lock_checkpoint(self._connection)
            if await self._run("keep_day", day):
                for name in _WRITE:
                    await self._run(name, day)

    async def _run(self, name: str, values: Mapping[str, Any] | None = None) -> int:
        return (await self._connection.execute(statement(f"projections/summary/{name}"), values)).rowcount


@frozen
class Summaries:
    """Counts days after they have ended; any number may run, and a crash loses at most the current day."""

    _connections: Connections
    _url: str
    _pulse: Pulse = field(factory=Pulse.of_main)

    async def run(self) -> None:
        """Count days that are due until cancelled; an unreachable store is tried again."""
        while True:
            try:
                await self.work()
            except StoreUnavailable:
                _log.warning("days that have ended cannot be counted yet")
            await self._pulse.rest(POLL_SECONDS)

    async def work(self) -> None:
        """Count everything that is due now.

        Raises:
            StoreUnavailable: the store does not answer; the remaining days stay due.

        """
        if not await self._is_due():
            return
        async with DayCounter.begun(self._url, quiet=QUIET) as counter:
            while counter is not None and await self._count_next(counter):
                pass

    async def _is_due(self) -> bool:
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("projections/summary/day_is_due"), {"quiet": QUIET})
            row = await cursor.fetchone()
        return row is not None and bool(row["due"])

    async def _count_next(self, counter: DayCounter) -> bool:
        started = time.perf_counter()
        counted = await counter.count_next()
        await asyncio.sleep((time.perf_counter() - started) * REST)
        return counted


async def _prepared(connection: AsyncConnection[DictRow], schema: str | None) -> bool:
    """Make the working tables; return False when another process counts the days of the read models in use."""
    await connection.execute(statement("projections/summary/configure_day_counter"))
    # A plan for a quiet day would be kept for a busy one.
    connection.prepare_threshold = None
    if schema is not None:
        await look_first_in(connection, schema)
    elif not await try_acquire(AdvisoryLock.SUMMARIES, connection):
        return False
    for name in _WORKING_TABLES:
        await connection.execute(statement(f"projections/summary/{name}_table"))
    return True
