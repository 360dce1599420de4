"""Taking an import back: its hits are deleted day by day, and what they were part of is counted again from the rest."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self

from attrs import frozen

from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import allow_erasing
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.intake.high_water_mark import wait_for_high_water_mark
from footfall.adapters.postgres.maintenance.recounts import ERRORS, MESSAGES, SUMS, span
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.application.ports.imports import ImportRecord

_FOLDER = "maintenance/imports"

# Rows of one transaction, which keeps the projector waiting.
ROWS = 5_000
_MESSAGES = 100
_REST_SECONDS = 0.2

# Retention counts messages again up to its cutoff; without an end all of their occurrences are counted.
_WITHOUT_END = "infinity"


@frozen
class _UndoneDay:
    since: datetime
    until: datetime

    @classmethod
    def of(cls, day: str) -> Self:
        since = datetime.fromisoformat(f"{day}T00:00:00+00:00")
        return cls(since, since + timedelta(days=1))


@frozen
class Undo:
    """The undoing of one import. Each step can be repeated, so that an interrupted one begins anew."""

    _connection: StoreConnection
    _import_id: int
    _site_id: int
    _days: Sequence[_UndoneDay]
    _newest: int
    _rows: int

    @classmethod
    async def begun(cls, connection: StoreConnection, record: ImportRecord, rows_at_a_time: int) -> Self:
        """Stop the import, and find its days and the position below which all of its hits are."""
        values = {"import_id": record.import_id}
        await connection.run(f"{_FOLDER}/begin_undo", **values)
        rows = await connection.rows(f"{_FOLDER}/stored_days", **values)
        newest = await wait_for_high_water_mark(connection)
        days = [_UndoneDay.of(row["day"]) for row in rows]
        return cls(connection, record.import_id, record.site_id, days, newest, rows_at_a_time)

    async def is_ahead_of_projections(self) -> bool:
        """Whether hits of the import may still be projected."""
        return bool(await self._connection.value(f"{_FOLDER}/projected") < self._newest)

    async def rest(self) -> None:
        """Wait a moment for the projector of another process."""
        await asyncio.sleep(_REST_SECONDS)

    async def run(self, advance: Callable[[int], None]) -> None:
        """Erase, count again, and forget the import; call `advance` with 1 for each of its days."""
        await self._note_erasure()
        for day in self._days:
            await self._until_none_is_left(self._erase_hits, day)
        for day in self._days:
            await self._until_none_is_left(self._erase_sessions, day)
            for name in ERRORS:
                await self._until_none_is_left(partial(self._erase_errors, name), day)
        await self._count_messages()
        for day in self._days:
            await self._count_day(day)
            advance(1)
        while await self._erase_bots():
            continue
        await self._forget()

    async def _until_none_is_left(self, erase: Callable[[dict[str, Any]], Any], day: _UndoneDay) -> None:
        while await erase({**self._parameters(day), "limit": self._rows}):
            continue

    async def _erase_hits(self, values: dict[str, Any]) -> int:
        """Delete some hits of a day: no other statement deletes hits of an import."""
        async with self._connection.transaction():
            await allow_erasing(self._connection)
            await self._lock(values)
            return await self._run("imports/erase_hits", values)

    async def _erase_bots(self) -> int:
        ids = {"site_id": self._site_id, "import_id": self._import_id}
        return await self._run("imports/erase_refused_bots", {**ids, "limit": self._rows})

    async def _erase_sessions(self, values: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await self._lock(values)
            [row] = await self._connection.rows(f"{_FOLDER}/erase_sessions", **values)
        return int(row["sessions"])

    async def _erase_errors(self, name: str, values: dict[str, Any]) -> int:
        async with self._connection.transaction():
            await self._lock(values)
            return await self._run(name, values)

    async def _count_messages(self) -> None:
        if not self._days:
            return
        around = {"since": self._days[0].since, "until": self._days[-1].until}
        after = 0
        while message_ids := await self._messages({**around, "after_message": after, "messages": _MESSAGES}):
            async with self._connection.transaction():
                await lock_checkpoint(self._connection)
                end = {"before": _WITHOUT_END, "day_end": _WITHOUT_END}
                values = {"site_id": self._site_id, "message_ids": message_ids, **end}
                for name in (*MESSAGES, "imports/recount_new_messages"):
                    await self._run(name, values)
            after = message_ids[-1]

    async def _messages(self, values: Mapping[str, Any]) -> list[int]:
        asked = {"site_id": self._site_id, **values}
        rows = await self._connection.rows("maintenance/recounts/error_messages", **asked)
        return [row["message_id"] for row in rows]

    async def _count_day(self, day: _UndoneDay) -> None:
        async with self._connection.transaction():
            values = self._parameters(day)
            values |= await self._lock(values)
            for name in SUMS:
                await self._run(name, values)

    async def _note_erasure(self) -> None:
        """Note that answers with hits of the import cannot be given again; finished with the undoing."""
        if self._days:
            ids = {"site_id": self._site_id, "import_id": self._import_id}
            around = {"since": self._days[0].since, "until": self._days[-1].until}
            await self._run("imports/note_erasure", {**ids, **around})

    async def _forget(self) -> None:
        async with self._connection.transaction():
            values = {"import_id": self._import_id, "site_id": self._site_id}
            await self._run("imports/finish_erasure", values)
            await self._run("recounts/erase_marks", values)
            await self._run("imports/forget_ledger", values)
            await self._run("imports/forget_import", values)

    async def _lock(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Lock the checkpoint; files of the day's sessions, and sums of its errors, are no longer used."""
        projected = await lock_checkpoint(self._connection)
        await revoke_days(self._connection, self._site_id, start=values["since"], end=values["until"])
        return projected

    def _parameters(self, day: _UndoneDay) -> dict[str, Any]:
        ids = {"site_id": self._site_id, "import_id": self._import_id}
        return {**ids, **span(day.since, day.until, day_end=day.until)}

    async def _run(self, name: str, values: Mapping[str, Any]) -> int:
        return await self._connection.run(compose(f"maintenance/{name}"), **values)
