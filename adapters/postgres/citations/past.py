"""The past of one site: a transaction whose reports see both logs as they were at earlier positions."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import frozen
from psycopg import errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.citations.overlay import Overlay, PastConnection
from footfall.adapters.postgres.citations.replay import Replay, TooManyHits
from footfall.adapters.postgres.database.connections import REPORT_SECONDS, connect_as
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.snapshot import SharedSnapshot
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.report_snapshots import PastQuestion
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
    connection = await connect_as(PastConnection, url)
    connection.answer_seconds = REPORT_SECONDS
    # Its statements differ by the positions.
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
        [state] = await (await self._execute("state", self._values)).fetchall()
        self._refuse_impossible(state)
        await self._refuse_erased()
        schema = sql.Identifier(state["schema"])
        values = self._values | {"checkpoint": state["traffic"]}
        await Replay(self._connection, schema, values).prepare()
        asked = self._question.positions
        constants = {"site_id": asked.site_id, "traffic": asked.traffic, "journal": asked.journal}
        pieces = {name: sql.Literal(value) for name, value in constants.items()}
        self._connection.overlay = Overlay.of(self._connection, {"schema": schema, **pieces})

    def _refuse_impossible(self, state: DictRow) -> None:
        asked = self._question.positions
        if asked.traffic > state["traffic"] or asked.journal > state["journal"]:
            raise in_the_future(state["journal"], state["traffic"])
        if asked.traffic < state["traffic_before"] or asked.journal < state["journal_before"]:
            raise never_together(state["journal_before"], state["traffic_before"])
        if state["first_hit"] is None or asked.traffic < state["first_hit"]:
            raise before_first_hit(state["first_hit"])

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
