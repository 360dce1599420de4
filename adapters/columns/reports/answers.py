"""Answers by columns where they can be had, and by rows everywhere else."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from footfall.adapters.columns.queries import ColumnsFailed, Queries, Reason, Rows, SiteQuestion, Turns
from footfall.adapters.columns.reports.listed_files import files_between
from footfall.adapters.columns.reports.selection import Selection
from footfall.application.ports.columns import ColumnFiles, FileCatalogue
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.fresh_rows import FreshRows, FreshRowStore, SiteState
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.session import LONGEST

_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


@frozen
class Reading:
    """One report about a site: its sessions and hits, asked through DuckDB, and what the store alone knows."""

    queries: Queries
    files: Sequence[ColumnFiles]
    selection: Selection
    store: FreshRows

    async def query(self, text: str, **parameters: Any) -> Rows:
        """Return the rows of a query about the relations `session` and `hit`.

        Raises:
            ColumnsFailed: DuckDB does not answer.
            StoreUnavailable: the process that asks it has ended.

        """
        values = self.selection.parameters(text, **parameters)
        return await self.queries.query(text, values, self.selection.values.expressions, self.files)


@define(eq=False)
class _Turn:
    """The turn of an answer: the files that were listed before its snapshot, and the state that this showed."""

    queries: Queries
    span: Period
    files: Sequence[ColumnFiles]
    state: SiteState | None = None
    is_prepared: bool = False


@define
class Columns:
    """The way of a report to files and fresh rows; a failure of the files or of DuckDB costs no report its answer.

    `turns` lends the turns of those reports that are asked outside of an answer: they are scheduled ones.
    """

    _turns: Turns
    _catalogue: FileCatalogue
    _store: FreshRowStore
    _metrics: Metrics
    # While the rows keep sums of days, these answer reports without filters sooner than files do.
    _rows_keep_sums: bool = field(default=True, kw_only=True)
    # Where the turn is that of an answer.
    _turn: _Turn | None = field(default=None, kw_only=True)
    _logged: set[Reason] = field(factory=set, kw_only=True)

    async def held(
        self, site_id: int, span: Period, queries: Queries
    ) -> Callable[[FreshRowStore], "Columns"]:
        """List the files of a span of time, for an answer that has its turn.

        Return what makes the way to them, and to the rows of a snapshot.
        """
        turn = await self._begun(site_id, span, queries)
        return lambda store: evolve(self, store=store, turn=turn)

    async def answer(
        self,
        site_id: int,
        period: Period,
        filters: Sequence[Filter],
        by_columns: Callable[[Reading], Awaitable[Answer]],
        by_rows: Callable[[], Awaitable[Answer]],
        *,
        summed: bool = False,
    ) -> Answer:
        """Return what columns answer, or rows if columns cannot.

        A report is `summed` when sums of days answer it without filters.

        Raises:
            StoreUnavailable: the store does not answer, or what reads the files has ended.
            Invalid: a regular expression takes too long.

        """
        if summed and not filters and self._rows_keep_sums:
            return await by_rows()
        if period.length < LONGEST:
            self._count(ColumnsFailed(Reason.SHORT))
            return await by_rows()
        try:
            async with (
                self._lent(site_id, period) as turn,
                self._reading(turn, site_id, period, filters) as reading,
            ):
                answer = await by_columns(reading)
        except ColumnsFailed as failure:
            self._count(failure)
            return await by_rows()
        self._metrics.report("columns", "")
        return answer

    @asynccontextmanager
    async def _lent(self, site_id: int, period: Period) -> AsyncIterator[_Turn]:
        """Lend the turn of the answer, or one for this report."""
        if self._turn is not None:
            yield self._turn
            return
        async with self._turns.turn(Asker.scheduled_for(site_id)) as queries:
            yield await self._begun(site_id, period, queries)

    async def _begun(self, site_id: int, span: Period, queries: Queries) -> _Turn:
        # Before the snapshot: a file that is made later may hold sessions that the snapshot does not.
        return _Turn(queries, span, await self._catalogue.files(site_id, span.start - LONGEST, span.end))

    @asynccontextmanager
    async def _reading(
        self, turn: _Turn, site_id: int, period: Period, filters: Sequence[Filter]
    ) -> AsyncIterator[Reading]:
        if not turn.files:
            raise ColumnsFailed(Reason.NO_FILES)
        async with self._store.begin(site_id, turn.span, turn.files, turn.state) as rows:
            turn.state = rows.state
            covering = rows.state.coverage.files
            files = files_between(covering, period.start - LONGEST, period.end)
            if not files:
                raise ColumnsFailed(Reason.NO_FILES)
            try:
                if not turn.is_prepared:
                    await turn.queries.prepare(_question(rows.state), rows.copy)
                    turn.is_prepared = True
                yield Reading(turn.queries, files, Selection(period, filters), rows)
                self._expect_unchanged(files)
            except ColumnsFailed as failure:
                turn.is_prepared = False
                if failure.reason is Reason.FILE:
                    self._catalogue.distrust(files)
                raise

    def _expect_unchanged(self, files: Sequence[ColumnFiles]) -> None:
        """Refuse what was read of files that were damaged meanwhile."""
        if self._catalogue.have_changed(files):
            raise ColumnsFailed(Reason.FILE, "FilesChanged")

    def _count(self, failure: ColumnsFailed) -> None:
        self._metrics.report("rows", str(failure.reason))
        if failure.reason.is_failure and failure.reason not in self._logged:
            self._logged.add(failure.reason)
            _log.warning(
                "columns do not answer reports, which are answered from rows",
                extra={"reason": str(failure.reason), "error": str(failure)},
            )


def _question(state: SiteState) -> SiteQuestion:
    coverage = state.coverage
    changed = [one for sessions in coverage.changed.values() for one in sessions]
    return SiteQuestion(state.site_id, state.position, state.epoch, coverage.days, changed)
