"""Erasing some hits of a person, with all that is derived of them, in one transaction.

The sessions of the runs that lose hits are formed anew from the hits that stay, by the statements of the projector.
Errors are counted anew in the quarters of an hour that these sessions touch; their sums are reduced by the difference.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from attrs import frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import allow_erasing, without_nested_loops
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.adapters.postgres.projections.error_days import forget_error_days
from footfall.adapters.postgres.projections.goal_matching import GoalMatching
from footfall.application.ports.imports import LeftOut
from footfall.application.ports.visitor_erasures import VisitsMissing

_FOLDER = "visitors"
# Hits of one transaction, which keeps the projector waiting; the runs that they belong to are changed with them.
HITS = 1_000

_WORKING_TABLES = ("slice", "placed", "regrouped", "session_delta", "matches", "conversion_delta")
_OWN_TABLES = ("runs/make_taken_table", "runs/make_gone_table", "errors/make_touched_table")
_COLLECTING = (
    "runs/take_sessions",
    "runs/collect_sessions",
    "runs/collect_hits",
    "runs/place_hits",
    "runs/release_sessions",
    "errors/collect_buckets",
)
_HITS = ("erasing/erase_hits", "errors/erase_sightings", "errors/move_sightings")
_SESSIONS = (
    "regrouping/retire_conversions",
    "regrouping/remove_conversions",
    "regrouping/take_hits_again",
    "regrouping/remove_regrouped",
    "sessions/collect_session_delta",
    "sessions/write_sessions",
    "sessions/write_traffic_buckets",
)
_CONVERSIONS = (
    "conversions/collect_conversion_delta",
    "conversions/write_conversions",
    "conversions/write_conversion_buckets",
    "conversions/write_conversion_days",
    "column_days/mark_column_days",
)
# Each step reads the result of the step before it.
_MESSAGES = (
    "errors/erase_occurrences",
    "errors/move_occurrences",
    "errors/write_error_sessions",
    "errors/erase_buckets",
    "errors/count_buckets",
    "errors/subtract_counts",
    "errors/remove_messages",
    "errors/reduce_messages",
    "errors/reduce_spans",
    "errors/remove_spans",
    "errors/count_new_messages",
)
_EMPTY = (
    "erasing/remove_empty_buckets",
    "erasing/remove_empty_conversion_buckets",
    "erasing/remove_empty_conversion_days",
)
_POSITIONS = ("erasing/lower_quarter_positions", "erasing/lower_day_positions")
_REST = ("erasing/erase_marks", "erasing/reduce_ledger", "erasing/forget_gone")


@frozen
class Erasing:
    """One erasure, over the connection that holds the lock of erasures."""

    _connection: StoreConnection
    _site_id: int
    _erasure: UUID
    _limit: int = HITS

    async def run(self) -> bool:
        """Erase some of the noted hits; False when none are noted any more.

        Raises:
            VisitsMissing: hits that go are in no visit.

        """
        await self._make_tables()
        async with self._connection.transaction():
            is_more = await self._erase()
        # From then on answers see what is left: those of before cannot be given again.
        await self._own("erasing/finish_notes")
        return is_more

    async def _make_tables(self) -> None:
        for name in _WORKING_TABLES:
            await self._connection.run(f"projections/working_tables/{name}_table")
        for name in _OWN_TABLES:
            await self._own(name)

    async def _erase(self) -> bool:
        projected = await lock_checkpoint(self._connection)
        await allow_erasing(self._connection)
        forgotten = await self._own("erasing/forget_missing", limit=self._limit)
        for name in _COLLECTING:
            await self._own(name, **projected, limit=self._limit)
        stretches = await self._rows("runs/stretches")
        if stretches:
            await self._erase_collected(stretches)
            for name in _POSITIONS:
                await self._own(name, **projected)
        [row] = await self._rows("erasing/has_noted")
        if row["noted"] and not forgotten and not stretches:
            raise VisitsMissing("hits of a visitor who is to be erased are in no visit")
        if not row["noted"]:
            await self._revoke()
        return bool(row["noted"])

    async def _revoke(self) -> None:
        """Revoke all days that had hits: until then reports hide the sessions of their files that have changed.

        With each batch these would be days without files, whose rows the next answer would have to bring.
        """
        for stretch in await self._rows("erasing/erased_stretches"):
            await revoke_days(self._connection, self._site_id, start=stretch["since"], end=stretch["until"])

    async def _erase_collected(self, stretches: Sequence[DictRow]) -> None:
        for run in await self._rows("runs/runs"):
            await self._own("erasing/note_erasure", **run)
        message_ids = [row["message_id"] for row in await self._rows("errors/messages")]
        await self._own("errors/retire_new_messages", message_ids=message_ids)
        await self._own("erasing/count_gone", measures=await self._own("erasing/erase_measures"))
        await self._own("errors/remove_error_sessions", message_ids=message_ids)
        for name in _HITS:
            await self._own(name)
        await self._form_sessions()
        await self._count_messages(message_ids)
        for stretch in stretches:
            await forget_error_days(self._connection, self._site_id, stretch["since"], stretch["until"])
            for name in _EMPTY:
                await self._own(name, **stretch)
        for name in _REST:
            await self._own(name, reason=LeftOut.ERASED.value)

    async def _form_sessions(self) -> None:
        for name in _SESSIONS:
            await self._projecting(name)
        await self._own("erasing/subtract_hits")
        async with without_nested_loops(self._connection):
            await GoalMatching().match(self._connection, None)
        for name in _CONVERSIONS:
            await self._projecting(name)

    async def _count_messages(self, message_ids: Sequence[int]) -> None:
        for name in _MESSAGES if message_ids else ():
            await self._own(name, message_ids=message_ids)

    async def _projecting(self, name: str) -> None:
        await self._connection.run(f"projections/{name}")

    async def _rows(self, name: str) -> list[DictRow]:
        return await self._connection.rows(f"{_FOLDER}/{name}", **self._values)

    async def _own(self, name: str, **values: Any) -> int:
        # A plan for few hits would be kept for many.
        return await self._connection.run(f"{_FOLDER}/{name}", prepare=False, **self._values, **values)

    @property
    def _values(self) -> Mapping[str, Any]:
        return {"site_id": self._site_id, "erasure": self._erasure}
