"""Answers to reports: each is one query of DuckDB about files and fresh rows."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from footfall.adapters.columns.queries import (
    ColumnsFailed,
    LeftOutSessions,
    Queries,
    Reason,
    Rows,
    SiteQuestion,
    Turns,
)
from footfall.adapters.columns.selection.selection import Selection
from footfall.application.ports.columns import ColumnFiles, FileCatalogue, files_between
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.days_in_making import DaysInMaking
from footfall.application.ports.reports.fresh_rows import FreshRows, FreshRowStore, SiteState
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import LONGEST

_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

_SECOND_READINGS = 2


@frozen
class Reading:
    """One report about a site: its sessions and hits, asked through DuckDB, and what the store alone knows."""

    queries: Queries
    files: Sequence[ColumnFiles]
    selection: Selection
    store: FreshRows
    leaving_out: bool

    @property
    def is_current(self) -> bool:
        """Whether what was reported of pages counts as it is known now."""
        return self.store.state.measured_up_to is None

    async def query(self, text: str, **parameters: Any) -> Rows:
        """Return the rows of a query about the relations `session` and `hit`.

        Raises:
            ColumnsFailed: DuckDB does not answer.
            StoreUnavailable: the process that asks it has ended.

        """
        selection = self.selection
        return await self.queries.query(
            text,
            selection.parameters(text, measured_up_to=self.store.state.measured_up_to, **parameters),
            selection.values.expressions,
            self.files,
            leaving_out=self.leaving_out,
        )

    async def expect_counted(self, goal: GoalQuery) -> None:
        """Refuse to report on a goal that the store has set aside.

        Raises:
            GoalSetAside: the store does not count the goal.

        """
        [reason] = await self.store.set_aside([goal])
        if reason is not None:
            raise GoalSetAside(reason)


@define(eq=False)
class _Turn:
    """The turn of an answer: the files that were listed before its snapshot, and the state that this showed."""

    span: Period
    files: Sequence[ColumnFiles]
    queries: Queries
    state: SiteState | None = None
    is_prepared: bool = False
    left_out: LeftOutSessions | None = None

    def is_ready_for(self, left_out: LeftOutSessions | None) -> bool:
        """Whether what answers queries has been told of the state, and of what is left out."""
        return self.is_prepared and left_out in (None, self.left_out)


@define
class Columns:
    """The way of a report to files and fresh rows.

    `turns` lends the turns of reports that are asked outside of an answer: they are scheduled ones. An answer without a
    turn has none, since it would wait for one with a snapshot in its hands.
    """

    _turns: Turns | None
    _catalogue: FileCatalogue
    _store: FreshRowStore
    _metrics: Metrics
    # Where the turn is that of an answer.
    _turn: _Turn | None = field(default=None, kw_only=True)

    async def held(
        self, site_id: int, span: Period, queries: Queries | None
    ) -> Callable[[FreshRowStore], "Columns"]:
        """List the files of a span of time, for an answer that has its turn; one without reads no report from them.

        Return what makes the way to them, and to the rows of a snapshot.
        """
        turn = None if queries is None else await self._begun(site_id, span, queries)
        return lambda store: evolve(self, turns=None, store=store, turn=turn)

    async def answer(
        self, site_id: int, query: ReportQuery, report: Callable[[Reading], Awaitable[Answer]]
    ) -> Answer:
        """Return what a report reads.

        Raises:
            StoreUnavailable: the store does not answer, what reads the files has ended, or a query takes too long.
            DaysInMaking: files are missing, or damaged, and the rows in their place do not fit into the memory.

        """
        async with self._lent(site_id, query.period) as turn:
            try:
                answer = await self._read(turn, site_id, query, report)
            except ColumnsFailed as failure:
                self._metrics.report(str(failure.reason))
                _log.warning(
                    "a report was not answered", extra={"reason": str(failure.reason), "error": str(failure)}
                )
                raise _refusal(failure, turn) from None
        self._metrics.report("")
        return answer

    async def _read(
        self,
        turn: _Turn,
        site_id: int,
        query: ReportQuery,
        report: Callable[[Reading], Awaitable[Answer]],
    ) -> Answer:
        for _ in range(_SECOND_READINGS):
            try:
                async with self._reading(turn, site_id, query) as reading:
                    return await report(reading)
            except ColumnsFailed as failure:
                if failure.reason is not Reason.FILE:
                    raise
            # Fresh rows are in the place of files that are damaged, or that could not be read twice.
            listed = await self._catalogue.files(site_id, turn.span.start - LONGEST, turn.span.end)
            turn.files, turn.state = [file for file in turn.files if file in listed], None
        async with self._reading(turn, site_id, query) as reading:
            return await report(reading)

    @asynccontextmanager
    async def _lent(self, site_id: int, period: Period) -> AsyncIterator[_Turn]:
        """Lend the turn of the answer, or one for this report."""
        if self._turn is not None:
            yield self._turn
            return
        if self._turns is None:
            raise StoreUnavailable("a report needs a turn, and its answer has none")
        async with self._turns.turn(Asker.scheduled_for(site_id)) as queries:
            yield await self._begun(site_id, period, queries)

    async def _begun(self, site_id: int, span: Period, queries: Queries) -> _Turn:
        # Before the snapshot: a file that is made later may hold sessions that the snapshot does not.
        files = await self._catalogue.files(site_id, span.start - LONGEST, span.end)
        return _Turn(span, files, queries)

    @asynccontextmanager
    async def _reading(self, turn: _Turn, site_id: int, query: ReportQuery) -> AsyncIterator[Reading]:
        async with self._store.begin(site_id, turn.span, turn.files, turn.state) as rows:
            turn.state = rows.state
            files = rows.state.coverage.files
            selection = Selection(query.period, query.filters)
            left_out = selection.left_out
            try:
                if not turn.is_ready_for(left_out):
                    turn.is_prepared, turn.left_out = False, left_out
                    await turn.queries.prepare(_question(rows.state, left_out), rows.copy)
                    turn.is_prepared = True
                files = files_between(files, query.period.start - LONGEST, query.period.end)
                yield Reading(turn.queries, files, selection, rows, leaving_out=left_out is not None)
                self._expect_unchanged(files)
            except ColumnsFailed as failure:
                turn.is_prepared = False
                if failure.reason is Reason.FILE:
                    # Sessions to leave out are looked for in all files.
                    self._catalogue.distrust(files)
                raise

    def _expect_unchanged(self, files: Sequence[ColumnFiles]) -> None:
        """Refuse what was read of files that were damaged meanwhile."""
        if self._catalogue.have_changed(files):
            raise ColumnsFailed(Reason.FILE, "FilesChanged")


def _question(state: SiteState, left_out: LeftOutSessions | None) -> SiteQuestion:
    coverage = state.coverage
    return SiteQuestion(
        site_id=state.site_id,
        position=state.position,
        epoch=state.epoch,
        days=coverage.days,
        changed=[session for sessions in coverage.changed.values() for session in sessions],
        stale=coverage.stale,
        earlier=state.earlier,
        left_out=left_out and evolve(left_out, files=coverage.files),
    )


def _refusal(failure: ColumnsFailed, turn: _Turn) -> StoreUnavailable:
    match failure.reason:
        case Reason.FRESH_ROWS if turn.state is not None:
            coverage = turn.state.coverage
            missing = [day for day, version in coverage.days.items() if version is None]
            # Days with many changes are made anew, too, although they have files.
            return DaysInMaking(sorted(day.date() for day in missing or coverage.changed or coverage.days))
        case Reason.TIME:
            return StoreUnavailable("a report took too long")
        case _:
            return StoreUnavailable("a report could not be read")
