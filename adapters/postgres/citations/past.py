"""The past of one site: a transaction whose reports see both logs as they were at earlier positions."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, field, frozen
from psycopg import errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.citations.overlay import PRESENT, Overlay, PastConnection
from footfall.adapters.postgres.citations.replay import Replay, TooManyHits, make_tables
from footfall.adapters.postgres.database.connections import REPORT_SECONDS, connect_as
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.snapshot import SharedSnapshot
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.past import (
    before_first_hit,
    import_since,
    in_the_future,
    never_together,
    retention_since,
    too_many_hits,
)
from footfall.domain.traffic.session import LONGEST

# Later hits, and hits of the sessions that they belong to: they are counted at the speed of a rebuild.
MOST_HITS = 2_000_000

_FOLDER = "citations/past"


@define
class PastConnections:
    """Connections with the temporary tables of the past; one is kept for the next question."""

    _url: str = field(repr=False)
    _most_hits: int = field(default=MOST_HITS, kw_only=True)
    _kept: list[PastConnection] = field(factory=list, init=False)

    @asynccontextmanager
    async def snapshot(self, question: PastQuestion) -> AsyncIterator[SharedSnapshot]:
        """Lend the past.

        Raises:
            Invalid: the positions are of the future, or before the first hit, or too many hits are later.
            ErasedSince: hits that the answer was made from have been erased.
            StoreUnavailable: the store does not answer, or takes too long.

        """
        with translated():
            connection = await self._take()
            try:
                async with connection.transaction():
                    await _prepare(_Preparation(connection, question, self._most_hits))
                    yield SharedSnapshot(connection)
                    connection.overlay = PRESENT
            except BaseException:
                await connection.close()
                raise
        await self._keep(connection)

    async def close(self) -> None:
        """Close the connection that is kept."""
        while self._kept:
            await self._kept.pop().close()

    async def _take(self) -> PastConnection:
        while self._kept:
            connection = self._kept.pop()
            try:
                await connection.execute(statement(f"{_FOLDER}/check"))
            except errors.OperationalError:
                await connection.close()
            except BaseException:
                await connection.close()
                raise
            else:
                return connection
        return await _prepared(await connect_as(PastConnection, self._url))

    async def _keep(self, connection: PastConnection) -> None:
        if self._kept:
            await connection.close()
        else:
            self._kept.append(connection)


async def _prepared(connection: PastConnection) -> PastConnection:
    connection.answer_seconds = REPORT_SECONDS
    # Its statements differ by the positions.
    connection.prepare_threshold = None
    try:
        [row] = await (await connection.execute(statement(f"{_FOLDER}/schema"))).fetchall()
        connection.schema = sql.Identifier(row["schema"])
        await make_tables(connection, connection.schema)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _prepare(preparation: "_Preparation") -> None:
    try:
        await preparation.run()
    except TooManyHits:
        raise too_many_hits(preparation.most_hits) from None
    except errors.QueryCanceled:
        raise StoreUnavailable("the past of a site took too long") from None


@frozen
class _Preparation:
    _connection: PastConnection
    _question: PastQuestion
    most_hits: int

    async def run(self) -> None:
        await self._execute("begin")
        schema = self._connection.schema
        query = compose(f"{_FOLDER}/state", schema=schema)
        [state] = await (await self._connection.execute(query, self._values)).fetchall()
        self._refuse_impossible(state)
        await self._refuse_erased()
        values = self._values | {"checkpoint": state["traffic"]}
        await Replay(self._connection, schema, values).fill()
        asked = self._question.positions
        constants = {"site_id": asked.site_id, "traffic": asked.traffic, "journal": asked.journal}
        pieces = {name: sql.Literal(value) for name, value in constants.items()}
        self._connection.overlay = Overlay.of(self._connection, {"schema": schema, **pieces})

    def _refuse_impossible(self, state: DictRow) -> None:
        asked = self._question.positions
        if asked.traffic > state["traffic"] or asked.journal > state["journal"]:
            raise in_the_future(state["journal"], state["traffic"], asked.log)
        if asked.traffic < state["traffic_before"] or asked.journal < state["journal_before"]:
            raise never_together(state["journal_before"], state["traffic_before"], asked.log)
        if state["first_hit"] is None or asked.traffic < state["first_hit"]:
            raise before_first_hit(state["first_hit"], asked.log)

    async def _refuse_erased(self) -> None:
        values = self._values | {"history": self._question.history}
        for row in await (await self._execute("erasures", values)).fetchall():
            retained = row["reason"] == "retention"
            raise retention_since(row["until"]) if retained else import_since(row["since"], row["until"])

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
            "limit": self.most_hits + 1,
        }

    async def _execute(self, name: str, values: Mapping[str, Any] | None = None) -> Any:
        return await self._connection.execute(statement(f"{_FOLDER}/{name}"), values)
