"""The sessions that later hits belong to, as they were: folded once more, and then on to the present.

A hit never moves to another session, so that all other sessions are as they were. The statements are those of the
projector, which write into temporary tables here: up to the position they make the past, and from there on what later
hits have added to the sums.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import allow_nested_loops, avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement

_FOLDER = "citations/past"
_WORKING_TABLES = ("slice", "session_delta", "matches", "conversion_delta")
_CLEARED = tuple(f"clear_{name}" for name in _WORKING_TABLES)
_SESSIONS = ("collect_session_delta", "write_sessions")
_PAST_CONVERSIONS = ("collect_conversion_delta", "write_conversions")
_ADDED_TRAFFIC = (*_SESSIONS, "write_traffic_buckets")
_ADDED_CONVERSIONS = ("collect_conversion_delta", "write_conversion_buckets", "write_conversion_days")


async def make_tables(connection: AsyncConnection[DictRow], schema: sql.Identifier) -> None:
    """Make the temporary tables of a connection, which are empty at the end of each transaction."""
    for name in _WORKING_TABLES:
        await connection.execute(statement(f"projections/{name}_table"))
    await connection.execute(compose(f"{_FOLDER}/tables", schema=schema))


class TooManyHits(Exception):
    """More hits than the limit would have to be counted."""


@frozen
class Replay:
    """The temporary tables of one question, in its transaction.

    `values` are the parameters of its statements: `site_id`, the position `traffic` of the question and the present
    one, `checkpoint`, the stretch `since` and `until` of hits that may concern it, and the most hits and one as
    `limit`.
    """

    _connection: AsyncConnection[DictRow]
    _schema: sql.Identifier
    _values: Mapping[str, Any]

    async def fill(self) -> None:
        """Fill the tables.

        Raises:
            TooManyHits: later hits, or those of the sessions that these belong to, are more than the limit.

        """
        days = [row["day"] for row in await (await self._execute("touched_days")).fetchall()]
        if days:
            await self._collect(days)
            await self._fold()

    async def _collect(self, days: Sequence[datetime]) -> None:
        await self._take("take_later_hits", {"days": days})
        await self._run("collect_changed_sessions", self._values)
        await self._run("analyze_changes")
        await self._take("take_earlier_hits")

    async def _take(self, name: str, more: Mapping[str, Any] | None = None) -> None:
        cursor = await self._run(name, {**self._values, **(more or {})})
        if cursor.rowcount >= self._values["limit"]:
            raise TooManyHits

    async def _fold(self) -> None:
        numbers = [row["number"] for row in await (await self._execute("countable_goals")).fetchall()]
        await self._project(_SESSIONS)
        await self._convert(numbers, _PAST_CONVERSIONS)
        for name in ("keep_past_sessions", "keep_past_conversions", *_CLEARED, "go_on"):
            await self._run(name)
        await self._project(_ADDED_TRAFFIC)
        await self._convert(numbers, _ADDED_CONVERSIONS)
        await self._run("collect_changed_days", self._values)

    async def _convert(self, numbers: Sequence[int], names: Sequence[str]) -> None:
        if numbers:
            await avoid_nested_loops(self._connection)
            await self._connection.execute(statement("projections/match_slice"), {"numbers": numbers})
            await allow_nested_loops(self._connection)
            await self._project(names)

    async def _project(self, names: Sequence[str]) -> None:
        for name in names:
            await self._connection.execute(statement(f"projections/{name}"))

    async def _execute(self, name: str) -> Any:
        return await self._connection.execute(statement(f"{_FOLDER}/{name}"), self._values)

    async def _run(self, name: str, values: Mapping[str, Any] | None = None) -> Any:
        return await self._connection.execute(compose(f"{_FOLDER}/{name}", schema=self._schema), values)
