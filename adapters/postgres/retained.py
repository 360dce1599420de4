"""Erasing the past of sites in PostgreSQL: whole months where all sites agree, else sessions with their hits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.checkpoint import hold_checkpoint
from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.statements import statement
from footfall.adapters.postgres.turns import Turn, taking
from footfall.application.retention import Past, RetentionTurn
from footfall.domain.session import LONGEST

_COUNT = "select count(*) as hits from hit where site_id = %s and occurred_at < %s"
_ERASING = "set local footfall.erasing = 'on'"
# Nobody was promised that a slice is erased.
_UNHURRIED = "set local synchronous_commit = off"
# Hits can wait for so long; a report that takes longer is not interrupted, the month goes next time.
_IMPATIENT = "set local lock_timeout = '500ms'"
_LOCK_LOG = "lock table only hit in access exclusive mode"
_BEGINNING: dict[str, Any] = {"after_time": "-infinity", "after_position": 0}

_READ_MODELS = ("erase_conversions", "erase_sessions", "erase_error_occurrences")
_BUCKETS = (
    "erase_traffic_buckets",
    "keep_traffic_buckets",
    "erase_conversion_buckets",
    "keep_conversion_buckets",
    "erase_conversion_days",
    "keep_conversion_days",
    "erase_day_shares",
    "erase_day_vitals",
    "erase_day_visitors",
    "forget_visits",
    "touch_next_days",
    "erase_days",
)


# Messages of errors are counted anew some at a time; the order matters, each goes by what the one before it left.
_MESSAGES = 100
_ERRORS = (
    "erase_error_sessions",
    "erase_error_buckets",
    "keep_error_buckets",
    "erase_error_messages",
    "keep_error_messages",
    "erase_error_spans",
    "keep_error_days",
    "keep_error_spans",
)


@frozen
class _Month:
    name: str
    first: datetime
    end: datetime


class PostgresRetained:
    """Retained over the partitions of the table `hit`, the read models, and the table `retained`."""

    def __init__(self, connections: Connections, url: str) -> None:
        self._connections = connections
        self._url = url

    async def hits_before(self, past: Past) -> int:
        """Return how many hits of a site are older than its past reaches."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute(_COUNT, (past.site_id, past.before))).fetchone()
        return 0 if row is None else int(row["hits"])

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[RetentionTurn | None]:
        """Lend the turn to erase, with a connection of its own; None when somebody else has it.

        Raises:
            OtherShape: it belongs to another version, which knows all that a hit has left behind.
            StoreUnavailable: the server does not answer.

        """
        async with taking(Turn.RETENTION, self._url) as connection:
            if connection is None:
                yield None
                return
            with translated():
                await hold_checkpoint(connection)
            yield _Turn(connection)


class _Turn:
    """Goes through the months of a site, oldest first, then through its read models."""

    def __init__(self, connection: AsyncConnection[DictRow]) -> None:
        self._connection = connection
        self._past: Past | None = None
        self._months: list[_Month] = []
        self._steps: list[str] = []
        self._reached = _BEGINNING
        self._after_message = 0

    async def drop_months(self, pasts: list[Past]) -> int:
        """Drop the months in which there is nothing but what is to go."""
        with translated():
            return sum([await self._drop(month, pasts) for month in await self._all_months()])

    async def erase_some(self, past: Past, limit: int) -> int | None:
        """Erase hits, then sessions and conversions; at last count anew what is left in the buckets."""
        with translated():
            if past != self._past:
                await self._begin(past)
            parameters = {"site_id": past.site_id, "before": past.before, "limit": limit}
            if self._months:
                return await self._erase_hits(self._months[0], parameters)
            if self._steps:
                return await self._erase_rows(self._steps[0], parameters)
            if await self._count_errors_anew(parameters):
                return 0
            await self._count_anew(parameters)
            self._past = None
            return None

    async def _begin(self, past: Past) -> None:
        await self._connection.execute(
            statement("retention/announce"), {"site_id": past.site_id, "before": past.before}
        )
        self._past = past
        self._months = [month for month in await self._all_months() if month.first < past.before]
        self._steps, self._reached, self._after_message = list(_READ_MODELS), _BEGINNING, 0

    async def _all_months(self) -> list[_Month]:
        cursor = await self._connection.execute(statement("retention/months"))
        return [_Month(**row) for row in await cursor.fetchall()]

    async def _drop(self, month: _Month, pasts: list[Past]) -> bool:
        # What happened earlier than the longest session cannot belong to one that reaches into what is kept.
        agreeing = {past.site_id for past in pasts if month.end + LONGEST <= past.before}
        if not agreeing:
            return False
        try:
            async with self._connection.transaction():
                await self._connection.execute(_IMPATIENT)
                # Nobody adds a hit between the question and what follows from its answer.
                await self._connection.execute(_LOCK_LOG)
                if not await self._sites_of(month) <= agreeing:
                    return False
                await self._connection.execute(sql.SQL("drop table {}").format(sql.Identifier(month.name)))
        except errors.LockNotAvailable:
            return False
        return True

    async def _sites_of(self, month: _Month) -> set[int]:
        cursor = await self._connection.execute(_of_month("sites_of_month", month))
        return {row["site_id"] for row in await cursor.fetchall()}

    async def _erase_hits(self, month: _Month, parameters: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await self._connection.execute(_ERASING)
            await self._connection.execute(_UNHURRIED)
            projected = await self._touched(parameters)
            cursor = await self._connection.execute(
                _of_month("erase_hits", month), {**parameters, **projected, **self._reached}
            )
            row = await cursor.fetchone()
        if row is None:
            del self._months[0]
            self._reached = _BEGINNING
            return 0
        erased: int = row.pop("erased")
        self._reached = row
        return erased

    async def _erase_rows(self, step: str, parameters: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await self._touched(parameters)
            cursor = await self._connection.execute(statement(f"retention/{step}"), parameters)
        if not cursor.rowcount:
            del self._steps[0]
        return 0

    async def _count_errors_anew(self, parameters: dict[str, Any]) -> bool:
        async with self._connection.transaction():
            await hold_checkpoint(self._connection)
            asked = {**parameters, "after_message": self._after_message, "messages": _MESSAGES}
            cursor = await self._connection.execute(statement("retention/old_error_messages"), asked)
            message_ids = [row["message_id"] for row in await cursor.fetchall()]
            if message_ids:
                self._after_message = message_ids[-1]
                for step in _ERRORS:
                    await self._connection.execute(
                        statement(f"retention/{step}"), {**parameters, "message_ids": message_ids}
                    )
        return bool(message_ids)

    async def _count_anew(self, parameters: dict[str, Any]) -> None:
        async with self._connection.transaction():
            projected = await self._touched(parameters)
            for step in _BUCKETS:
                await self._connection.execute(statement(f"retention/{step}"), {**parameters, **projected})

    async def _touched(self, parameters: dict[str, Any]) -> DictRow:
        """Hold the checkpoint; what has been counted of days that lose something counts no longer."""
        projected = await hold_checkpoint(self._connection)
        await self._connection.execute(statement("retention/touch_days"), parameters)
        return projected


def _of_month(name: str, month: _Month) -> sql.Composed:
    return sql.SQL(statement(f"retention/{name}").decode()).format(month=sql.Identifier(month.name))
