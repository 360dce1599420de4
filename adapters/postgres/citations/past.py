"""The past of one site: temporary views of the tables that reports of rows read, as they were at earlier positions.

A hit never moves to another session, so that a session is as it was unless later hits belong to it. Those few are
folded once more from their earlier hits, by the statements of the projector.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import REPORT_SECONDS, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.snapshot import SharedSnapshot
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.report_snapshots import PastQuestion
from footfall.domain.citations.past import (
    before_first_hit,
    import_since,
    in_the_future,
    retention_since,
    too_many_hits,
)
from footfall.domain.traffic.session import LONGEST

# Later hits, and hits of the sessions that they belong to: they are counted at the speed of a rebuild.
MOST_HITS = 2_000_000

Connection = AsyncConnection[DictRow]

_FOLDER = "citations/past"


@asynccontextmanager
async def past_snapshot(
    url: str, question: PastQuestion, *, most_hits: int = MOST_HITS
) -> AsyncIterator[SharedSnapshot]:
    """Lend the past on a connection of its own, whose transaction is rolled back.

    Raises:
        Invalid: the positions are of the future, or before the first hit, or too many hits are later.
        ErasedSince: hits that the answer was made from have been erased.
        StoreUnavailable: the store does not answer, or takes too long.

    """
    connection = await connect(url)
    connection.answer_seconds = REPORT_SECONDS
    # A prepared statement would go on to mean the tables that it was prepared for.
    connection.prepare_threshold = None
    try:
        with translated():
            async with connection.transaction(force_rollback=True):
                await _prepare(_Preparation(connection, question, most_hits))
                yield SharedSnapshot(connection)
    finally:
        await connection.close()


async def _prepare(preparation: "_Preparation") -> None:
    try:
        await preparation.run()
    except errors.QueryCanceled:
        raise StoreUnavailable("the past of a site took too long") from None


@frozen
class _Preparation:
    _connection: Connection
    _question: PastQuestion
    _most_hits: int

    async def run(self) -> None:
        await self._run("begin")
        state = await self._state()
        await self._refuse_erased()
        values = self._values | {"checkpoint": state["traffic"]}
        await self._collect_changed_sessions(values)
        await self._fold_earlier_hits(values, state["schema"])
        await self._run("message_table", schema=sql.Identifier(state["schema"]))
        await self._execute("collect_messages", values)
        await self._run("views", schema=sql.Identifier(state["schema"]), **self._constants)

    async def _state(self) -> DictRow:
        [state] = await self._execute("state", self._values)
        asked = self._question.positions
        if asked.traffic > state["traffic"] or asked.journal > state["journal"]:
            raise in_the_future(state["journal"], state["traffic"], asked.log)
        if state["first_hit"] is None or asked.traffic < state["first_hit"]:
            raise before_first_hit(state["first_hit"], asked.log)
        return state

    async def _refuse_erased(self) -> None:
        found = await self._execute("erasures", self._values | {"history": self._question.history})
        for row in found[:1]:
            retained = row["reason"] == "retention"
            raise retention_since(row["until"]) if retained else import_since(row["since"], row["until"])

    async def _collect_changed_sessions(self, values: Mapping[str, Any]) -> None:
        [later] = await self._execute("count_later_hits", values)
        if later["hits"] > self._most_hits:
            raise too_many_hits(self._most_hits)
        await self._run("changed_session_table")
        await self._execute("collect_changed_sessions", values)

    async def _fold_earlier_hits(self, values: Mapping[str, Any], schema: str) -> None:
        for table in ("slice", "session_delta"):
            await self._connection.execute(statement(f"projections/{table}_table"))
        cursor = await self._connection.execute(statement(f"{_FOLDER}/take_earlier_hits"), values)
        if cursor.rowcount > self._most_hits:
            raise too_many_hits(self._most_hits)
        # From here on `session` is the temporary table.
        await self._run("session_table", schema=sql.Identifier(schema))
        for name in ("collect_session_delta", "write_sessions"):
            await self._connection.execute(statement(f"projections/{name}"))

    @property
    def _values(self) -> dict[str, Any]:
        asked, span = self._question.positions, self._question.span
        return {
            "site_id": asked.site_id,
            "traffic": asked.traffic,
            "at": asked.at,
            # A session that reaches into the span has hits up to a day around it.
            "since": span.start - LONGEST,
            "until": span.end + LONGEST,
            "limit": self._most_hits + 1,
        }

    @property
    def _constants(self) -> dict[str, sql.Literal]:
        asked = self._question.positions
        return {
            "site_id": sql.Literal(asked.site_id),
            "traffic": sql.Literal(asked.traffic),
            "journal": sql.Literal(asked.journal),
        }

    async def _run(self, name: str, **pieces: sql.Composable) -> None:
        await self._connection.execute(compose(f"{_FOLDER}/{name}", **pieces))

    async def _execute(self, name: str, values: Mapping[str, Any]) -> list[DictRow]:
        cursor = await self._connection.execute(statement(f"{_FOLDER}/{name}"), values)
        return await cursor.fetchall() if cursor.description else []
