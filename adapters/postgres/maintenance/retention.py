"""Retention: drops months that all their sites have let expire, and erases expired sessions with their hits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, time, timedelta
from typing import Any

from attrs import asdict, define, field, frozen
from psycopg import errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.session import (
    allow_erasing,
    commit_without_waiting,
    limit_lock_waits,
)
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.maintenance.recounts import ERRORS, MESSAGES, SUMS, span
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.application.ports.maintenance import LockedRetention, RetentionCutoff
from footfall.domain.traffic.session import LONGEST

_FOLDER = "maintenance/retention"
_BEGINNING: dict[str, Any] = {"after_time": "-infinity", "after_position": 0}

_READ_MODELS = (
    "retention/erase_conversions",
    "retention/erase_sessions",
    "retention/erase_refused_bots",
    *ERRORS,
)
_POSITIONS = ("retention/erase_day_positions", "retention/erase_quarter_positions")
# Messages of errors that are counted again at a time.
_MESSAGES = 100


@frozen
class _Month:
    name: str
    first: datetime
    end: datetime


@frozen
class PostgresRetentionStore:
    """The retention store over the partitions of the table `hit`, the read models, and the table `retained`."""

    _connections: Connections
    _url: str

    async def hits_before(self, cutoff: RetentionCutoff) -> int:
        """Return how many hits of a site are older than its cutoff."""
        values = {"site_id": cutoff.site_id, "before": cutoff.before}
        return int(await self._connections.value(f"{_FOLDER}/count_hits", **values) or 0)

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedRetention | None]:
        """Lend the lock to erase, with a connection of its own; None when another process holds it.

        Raises:
            ProjectionVersionMismatch: the read models are those of another version.
            StoreUnavailable: the server does not answer.

        """
        async with holding_lock(AdvisoryLock.RETENTION, self._url) as connection:
            if connection is None:
                yield None
                return
            with translated():
                await lock_checkpoint(connection)
            yield _PostgresLockedRetention(connection)


@define
class _PostgresLockedRetention:
    """Goes through the months of a site, oldest first, then through its read models."""

    _connection: StoreConnection
    _cutoff: RetentionCutoff | None = field(default=None, init=False)
    _months: list[_Month] = field(factory=list, init=False)
    _steps: list[str] = field(factory=list, init=False)
    _reached: dict[str, Any] = field(factory=_BEGINNING.copy, init=False)
    _after_message: int = field(default=0, init=False)

    async def drop_months(self, cutoffs: list[RetentionCutoff]) -> int:
        """Drop the months that hold expired hits only."""
        with translated():
            return sum([await self._drop(month, cutoffs) for month in await self._all_months()])

    async def erase_some(self, cutoff: RetentionCutoff, limit: int) -> int | None:
        """Erase hits, then sessions and conversions; at last count the buckets again."""
        with translated():
            if cutoff != self._cutoff:
                await self._begin(cutoff)
            around = span(None, cutoff.before, day_end=_end_of_day(cutoff.before))
            parameters = {"site_id": cutoff.site_id, "before": cutoff.before, "limit": limit, **around}
            if self._months:
                return await self._erase_hits(self._months[0], parameters)
            if self._steps:
                return await self._erase_rows(self._steps[0], parameters)
            if await self._recount_errors(parameters):
                return 0
            await self._recount_buckets(parameters)
            await self._connection.run(f"{_FOLDER}/finish_erasure", **parameters)
            self._cutoff = None
            return None

    async def _begin(self, cutoff: RetentionCutoff) -> None:
        parameters = {"site_id": cutoff.site_id, "before": cutoff.before}
        async with self._connection.transaction():
            await lock_checkpoint(self._connection)
            await self._connection.run(f"{_FOLDER}/announce", **parameters)
            await self._connection.run(f"{_FOLDER}/mark_cuts", **parameters)
        self._cutoff = cutoff
        self._months = [month for month in await self._all_months() if month.first < cutoff.before]
        self._steps, self._reached, self._after_message = list(_READ_MODELS), _BEGINNING, 0

    async def _all_months(self) -> list[_Month]:
        return [_Month(**row) for row in await self._connection.rows(f"{_FOLDER}/months")]

    async def _drop(self, month: _Month, cutoffs: list[RetentionCutoff]) -> bool:
        # No session of a hit that is older by the longest session reaches past the cutoff.
        agreeing = {
            cutoff.site_id: cutoff.before for cutoff in cutoffs if month.end + LONGEST <= cutoff.before
        }
        if not agreeing:
            return False
        try:
            layout = self._connection.layout
            async with layout.defining(self._connection) as connection, connection.transaction():
                await limit_lock_waits(connection)
                await lock_checkpoint(connection)
                # No hit is added between the question for the sites and the drop.
                await connection.run(f"{_FOLDER}/lock_log")
                if not await _sites_of(month, connection) <= agreeing.keys():
                    return False
                for site_id, before in agreeing.items():
                    await connection.run(f"{_FOLDER}/mark_cuts", site_id=site_id, before=before)
                    await revoke_days(connection, site_id, end=month.end)
                    await _note_erasure({"site_id": site_id, "before": month.end}, connection)
                await connection.run(compose("database/tables/drop_table", table=sql.Identifier(month.name)))
                await connection.run(f"{_FOLDER}/settle_measures_anew")
        except errors.LockNotAvailable:
            return False
        return True

    async def _erase_hits(self, month: _Month, parameters: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await allow_erasing(self._connection)
            await commit_without_waiting(self._connection)
            projected = await self._revoke_days(parameters)
            values = {**parameters, **projected, **self._reached, **asdict(month)}
            row = await self._connection.row(f"{_FOLDER}/erase_hits", **values)
            if row is not None and row["erased"]:
                await _note_erasure(parameters, self._connection)
        if row is None:
            del self._months[0]
            self._reached = _BEGINNING
            return 0
        erased: int = row.pop("erased")
        self._reached = row
        return erased

    async def _erase_rows(self, step: str, parameters: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await self._revoke_days(parameters)
            erased = await self._connection.run(f"maintenance/{step}", **parameters)
        if not erased:
            del self._steps[0]
        return 0

    async def _recount_errors(self, parameters: dict[str, Any]) -> bool:
        async with self._connection.transaction():
            await lock_checkpoint(self._connection)
            asked = {**parameters, "after_message": self._after_message, "messages": _MESSAGES}
            rows = await self._connection.rows("maintenance/recounts/error_messages", **asked)
            message_ids = [row["message_id"] for row in rows]
            if message_ids:
                self._after_message = message_ids[-1]
                own = {**parameters, "message_ids": message_ids}
                for step in (*MESSAGES, "retention/move_new_messages"):
                    await self._connection.run(f"maintenance/{step}", **own)
        return bool(message_ids)

    async def _recount_buckets(self, parameters: dict[str, Any]) -> None:
        async with self._connection.transaction():
            projected = await self._revoke_days(parameters)
            for step in (*SUMS, *_POSITIONS, "recounts/erase_marks"):
                await self._connection.run(compose(f"maintenance/{step}"), **{**parameters, **projected})

    async def _revoke_days(self, parameters: dict[str, Any]) -> DictRow:
        """Lock the checkpoint; files of days that lose hits are no longer used."""
        projected = await lock_checkpoint(self._connection)
        await revoke_days(self._connection, parameters["site_id"], end=parameters["before"])
        return projected


def _end_of_day(at: datetime) -> datetime:
    """Return the end of the day, in UTC, in which a moment lies."""
    return datetime.combine(at.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


async def _sites_of(month: _Month, connection: StoreConnection) -> set[int]:
    return {row["site_id"] for row in await connection.rows(f"{_FOLDER}/sites_of_month", **asdict(month))}


async def _note_erasure(parameters: dict[str, Any], connection: StoreConnection) -> None:
    """Note that answers before this one cannot be given again; finished when everything is counted again."""
    await connection.run(f"{_FOLDER}/note_erasure", **parameters)
