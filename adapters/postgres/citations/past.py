"""The past of one site: a transaction whose reports see both logs as they were at earlier positions."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime
from typing import Any

from attrs import define, field, frozen
from psycopg import errors, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.citations.as_of import (
    OF_JOURNAL,
    OF_SITE,
    PRESENT,
    TABLES,
    Overlay,
    PastConnection,
)
from footfall.adapters.postgres.citations.replay import Replay, Replayed, TooManyHits, make_tables
from footfall.adapters.postgres.database.connections import (
    REPORT_SECONDS,
    WATCHED_SECONDS,
    ServerWatch,
    connect_as,
)
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.snapshot import SharedSnapshot
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import Arrivals
from footfall.domain.citations.definitions import PRESENT as DEFINITIONS
from footfall.domain.citations.past_refusals import (
    before_first_hit,
    import_since,
    in_the_future,
    never_together,
    retention_since,
    too_many_hits,
    visitor_since,
)
from footfall.domain.traffic.session import INACTIVITY, LONGEST

# Later hits, and hits of the sessions that they belong to: they are counted at the speed of a rebuild.
MOST_HITS = 2_000_000
# Hits that working tables keep until they are used again.
MOST_LEFT = 10_000
# As many hits are replayed in about a minute, or in several on a busy server.
REPLAY_SECONDS = 240.0
# Connections, and the replays in their temporary tables, that are kept for the next questions.
KEPT = 3

_FOLDER = "citations/past"


@frozen
class _Kept:
    """A replay that a connection holds: of which positions, around which span, and of which goals and erasures."""

    site_id: int
    traffic: int
    arrivals: Arrivals | None
    since: datetime
    until: datetime
    erased_at: str | None
    numbers: Sequence[int]
    replayed: Replayed

    def is_of(self, question: PastQuestion) -> bool:
        """Whether the replay is of the hits of a question."""
        asked = (question.positions.site_id, question.positions.traffic, question.arrivals)
        return (self.site_id, self.traffic, self.arrivals) == asked


@define(eq=False)
class _ReplayPlace:
    """A connection, and the replay that it holds."""

    connection: PastConnection
    has_tables: bool = False
    # Whether its working tables hold much.
    is_large: bool = False
    kept: _Kept | None = None
    # The constants of the last question, and its overlay.
    overlay: tuple[Mapping[str, Any], Overlay] = field(factory=lambda: ({}, PRESENT))


@define
class PastConnections:
    """Connections with the temporary tables of the past; the last ones are kept for the next questions.

    The tables are made for the first question that later hits concern.
    """

    _url: str = field(repr=False)
    _most_hits: int = field(default=MOST_HITS, kw_only=True)
    _watch: ServerWatch | None = field(default=None, kw_only=True)
    _places: list[_ReplayPlace] = field(factory=list, init=False)

    @asynccontextmanager
    async def snapshot(self, question: PastQuestion) -> AsyncIterator[SharedSnapshot]:
        """Lend the past.

        Raises:
            Invalid: the positions are of the future, or before the first hit, or too many hits are later.
            ErasedSince: hits that the answer was made from have been erased.
            StoreUnavailable: the store does not answer, or takes too long.

        """
        taken: list[_ReplayPlace] = []

        def cut() -> None:
            for place in taken:
                place.connection.cut()

        with translated(), nullcontext() if self._watch is None else self._watch.watching(cut):
            place = await self._take(question, taken)
            try:
                async with place.connection.transaction():
                    await _prepare(_Preparation(place, question, self._most_hits))
                    await place.connection.run("reports/snapshot/limit")
                    yield SharedSnapshot(place.connection)
                    place.connection.overlay = PRESENT
                await _tidy(place)
            except BaseException:
                await place.connection.close()
                raise
        await self._keep(place)

    async def close(self) -> None:
        """Close the connections that are kept."""
        while self._places:
            await self._places.pop().connection.close()

    async def _take(self, question: PastQuestion, taken: list[_ReplayPlace]) -> _ReplayPlace:
        """Return a place, which is among those `taken` while the server is asked whether it answers."""
        while (place := self._choose(question)) is not None:
            self._places.remove(place)
            taken.append(place)
            try:
                await place.connection.run(f"{_FOLDER}/check")
            except errors.OperationalError:
                await place.connection.close()
            except BaseException:
                await place.connection.close()
                raise
            else:
                return place
        async with asyncio.timeout(None if self._watch is None else WATCHED_SECONDS):
            place = _ReplayPlace(await self._connect())
        taken.append(place)
        return place

    def _choose(self, question: PastQuestion) -> _ReplayPlace | None:
        """Return the place that holds this past, else the longest unused one; None while fewer are kept than may be."""
        for place in self._places:
            if place.kept is not None and place.kept.is_of(question):
                return place
        without = [place for place in self._places if place.kept is None]
        return next(iter(without or self._places[: len(self._places) // KEPT]), None)

    async def _connect(self) -> PastConnection:
        connection = await connect_as(PastConnection, layout_of(self._url).for_reports(self._url))
        connection.answer_seconds = REPORT_SECONDS
        try:
            [row] = await connection.rows(f"{_FOLDER}/look_last_in_temporary")
        except BaseException:
            await connection.close()
            raise
        connection.schema, connection.stored = sql.Identifier(row["schema"]), sql.Identifier(row["stored"])
        connection.search_path = row["search_path"]
        return connection

    async def _keep(self, place: _ReplayPlace) -> None:
        connection = place.connection
        if not connection.layout.reads_directly(connection.schema, connection.stored):
            # The next connection may.
            await connection.close()
            return
        self._places.append(place)
        if len(self._places) > KEPT:
            await self._places.pop(0).connection.close()


async def _make_ready(place: _ReplayPlace) -> None:
    place.kept = None
    if place.has_tables:
        await place.connection.run(f"{_FOLDER}/clear")
    else:
        await make_tables(place.connection, place.connection.stored)
        place.has_tables = True


async def _tidy(place: _ReplayPlace) -> None:
    """Let go of what a large replay alone needed; after a small one, emptying the tables would take longer."""
    if place.is_large:
        await place.connection.run(f"{_FOLDER}/clear_working_tables")
        place.is_large = False


async def _prepare(preparation: "_Preparation") -> None:
    try:
        with preparation.place.connection.waiting(REPLAY_SECONDS):
            await preparation.run()
    except TooManyHits:
        raise too_many_hits(preparation.most_hits) from None
    except errors.QueryCanceled:
        raise StoreUnavailable("the past of a site took too long") from None


@frozen
class _Preparation:
    place: _ReplayPlace
    _question: PastQuestion
    most_hits: int

    async def run(self) -> None:
        connection = self.place.connection
        connection.measured_up_to = self._question.measured_up_to
        await connection.run(f"{_FOLDER}/begin")
        query = compose(f"{_FOLDER}/state")
        [state] = await connection.rows(query, **self._values)
        if state["sessions"] != DEFINITIONS.sessions:
            raise StoreUnavailable("the sessions of this store are still being formed anew")
        self._refuse_impossible(state)
        # Before the question for the first hit: the ones before it may have been erased.
        _refuse_erased(state)
        self._refuse_before_first_hit(state)
        changed_since: datetime = state["later_since"]
        names: Sequence[str] = OF_JOURNAL
        connection.replayed = None
        if state["is_touched"]:
            connection.replayed = await self._replayed(state)
            changed_since = connection.replayed.changed_since
            names = TABLES
        elif state["newest"] > self._question.positions.traffic:
            names = OF_SITE
        await connection.run(f"{_FOLDER}/end_writing")
        bounds = {"later_since": state["later_since"], "changed_since": changed_since}
        connection.overlay = self._overlay(bounds, names)

    async def _replayed(self, state: DictRow) -> Replayed:
        """Replay later hits, unless the tables hold that already."""
        place, numbers = self.place, state["numbers"] or []
        values = {
            **self._values,
            "checkpoint": state["traffic"],
            "later_since": state["later_since"],
            "search_path": place.connection.search_path,
        }
        replay = Replay(place.connection, values)
        kept = place.kept
        if kept is not None and self._covers(kept, state) and await self._holds(kept, state, replay):
            return kept.replayed
        await _make_ready(place)
        replayed, taken = await replay.fill(numbers)
        place.is_large = taken > MOST_LEFT
        place.kept = _Kept(
            values["site_id"],
            values["traffic"],
            self._question.arrivals,
            values["since"],
            values["until"],
            state["erased_at"],
            numbers,
            replayed,
        )
        return replayed

    async def _holds(self, kept: _Kept, state: DictRow, replay: Replay) -> bool:
        return state["newest"] <= kept.replayed.checkpoint or await replay.holds(kept.replayed)

    def _covers(self, kept: _Kept, state: DictRow) -> bool:
        asked = self._values
        return (
            kept.is_of(self._question)
            and kept.since <= asked["since"]
            and kept.until >= asked["until"]
            and kept.erased_at == state["erased_at"]
            and kept.numbers == (state["numbers"] or [])
            and kept.replayed.later_since == state["later_since"]
        )

    def _overlay(self, bounds: Mapping[str, datetime], names: Sequence[str]) -> Overlay:
        connection, arrivals = self.place.connection, self._question.arrivals
        constants = {
            "site_id": self._question.positions.site_id,
            "journal": self._question.positions.journal,
            "traffic": self._values["traffic"],
            "last": self._values["last"],
            **bounds,
        }
        # Hits are remembered as put aside when later ones are replayed.
        remembered = arrivals is not None and names is TABLES
        constants_before, overlay = self.place.overlay
        if constants_before != {**constants, "names": names, "remembered": remembered}:
            overlay = Overlay.of(connection, constants, names, remembered=remembered)
            self.place.overlay = ({**constants, "names": names, "remembered": remembered}, overlay)
        return overlay

    def _refuse_impossible(self, state: DictRow) -> None:
        asked = self._question.positions
        if asked.traffic > state["traffic"] or asked.journal > state["journal"]:
            raise in_the_future(state["journal"], state["traffic"], asked.log)
        if asked.traffic < state["traffic_before"] or asked.journal < state["journal_before"]:
            raise never_together(state["journal_before"], state["traffic_before"], asked.log)

    def _refuse_before_first_hit(self, state: DictRow) -> None:
        asked = self._question.positions
        if state["first_hit"] is None or asked.traffic < state["first_hit"]:
            raise before_first_hit(state["first_hit"])

    @property
    def _values(self) -> Mapping[str, Any]:
        asked, span, arrivals = self._question.positions, self._question.span, self._question.arrivals
        return {
            "site_id": asked.site_id,
            "traffic": asked.traffic,
            # Hits of these origins count up to this position, also after that of the question.
            "last": asked.traffic if arrivals is None else arrivals.until,
            "origins": [] if arrivals is None else [str(origin) for origin in sorted(arrivals.origins)],
            "at": asked.at,
            # A session that reaches into the span has hits up to a day around it, which others may join or cut.
            "since": span.start - LONGEST - INACTIVITY,
            "until": span.end + LONGEST + INACTIVITY,
            "start": span.start,
            "end": span.end,
            "history": self._question.history,
            "limit": self.most_hits + 1,
        }


def _refuse_erased(state: DictRow) -> None:
    if state["erased"] == "retention":
        raise retention_since(state["erased_until"])
    if state["erased"] is not None and state["erased"].startswith("visitor "):
        raise visitor_since()
    if state["erased"] is not None:
        raise import_since(state["erased_since"], state["erased_until"])
