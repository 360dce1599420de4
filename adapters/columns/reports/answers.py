"""Answers by columns where they can be had, and by rows everywhere else."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from footfall.adapters.columns.queries import ColumnsFailed, Queries, Reason, Rows, Turns
from footfall.adapters.columns.reports.listed_files import ListedFiles
from footfall.adapters.columns.reports.selection import FileSelection
from footfall.application.ports.columns import FileCatalogue
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.uncovered import Uncovered, UncoveredReports
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.session import LONGEST

_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


@frozen
class Reading:
    """The two parts of a report: files, asked through DuckDB, and the rows of the sessions that they do not cover."""

    queries: Queries
    selection: FileSelection
    uncovered: Uncovered

    async def query(self, text: str, **parameters: Any) -> Rows:
        """Return the rows of a query about the files.

        Raises:
            ColumnsFailed: DuckDB does not answer.
            StoreUnavailable: the process that asks it has ended.

        """
        values = self.selection.parameters(text, **parameters)
        return await self.queries.query(text, values, self.selection.values.expressions)


@define
class Columns:
    """The way of a report to its two parts; a failure of the files or of DuckDB costs no report its answer.

    `turns` lends the turns of those reports that are asked outside of one: they are scheduled ones.
    """

    _turns: Turns
    _catalogue: FileCatalogue
    _uncovered: UncoveredReports
    _metrics: Metrics
    # While the rows keep sums of days, these answer reports without filters sooner than files do.
    _rows_keep_sums: bool = field(default=True, kw_only=True)
    # Where the turn is that of an answer.
    _queries: Queries | None = field(default=None, kw_only=True)
    _logged: set[Reason] = field(factory=set, kw_only=True)

    async def held(
        self, site_id: int, span: Period, queries: Queries
    ) -> Callable[[UncoveredReports], "Columns"]:
        """List the files of a span of time, for an answer that has its turn.

        Return what makes the way to them, and to the rows of a snapshot.
        """
        files = await self._catalogue.files(site_id, span.start - LONGEST, span.end)
        listed = ListedFiles(self._catalogue, files)
        return lambda uncovered: evolve(self, catalogue=listed, uncovered=uncovered, queries=queries)

    async def answer(
        self,
        site_id: int,
        period: Period,
        filters: Sequence[Filter],
        by_columns: Callable[[Reading], Awaitable[Answer]],
        by_rows: Callable[[], Awaitable[Answer]],
        *,
        summed: bool = False,
        goals: Sequence[GoalQuery] = (),
    ) -> Answer:
        """Return what columns answer, or rows if columns cannot.

        A report is `summed` when sums of days answer it without filters; `goals` are those that it asks for besides
        those of its filters.

        Raises:
            StoreUnavailable: the store does not answer, or what reads the files has ended.
            Invalid: a regular expression takes too long.

        """
        if summed and not filters and self._rows_keep_sums:
            return await by_rows()
        if period.length < LONGEST:
            self._count(ColumnsFailed(Reason.SHORT))
            return await by_rows()
        async with self._turn(site_id) as queries:
            return await self._answer(queries, site_id, period, filters, goals, by_columns, by_rows)

    @asynccontextmanager
    async def _turn(self, site_id: int) -> AsyncIterator[Queries]:
        """Lend the turn of the answer, or one for this report."""
        if self._queries is not None:
            yield self._queries
            return
        async with self._turns.turn(Asker.scheduled_for(site_id)) as queries:
            yield queries

    async def _answer(
        self,
        queries: Queries,
        site_id: int,
        period: Period,
        filters: Sequence[Filter],
        goals: Sequence[GoalQuery],
        by_columns: Callable[[Reading], Awaitable[Answer]],
        by_rows: Callable[[], Awaitable[Answer]],
    ) -> Answer:
        try:
            async with self._reading(queries, site_id, period, filters, goals) as reading:
                answer = await by_columns(reading)
        except ColumnsFailed as failure:
            self._count(failure)
            return await by_rows()
        self._metrics.report("columns", "")
        return answer

    @asynccontextmanager
    async def _reading(
        self,
        queries: Queries,
        site_id: int,
        period: Period,
        filters: Sequence[Filter],
        goals: Sequence[GoalQuery],
    ) -> AsyncIterator[Reading]:
        # Before the snapshot: a file that is made later may hold sessions that the snapshot does not.
        files = await self._catalogue.files(site_id, period.start - LONGEST, period.end)
        if not files:
            raise ColumnsFailed(Reason.NO_FILES)
        async with self._uncovered.begin(site_id, period, filters, files) as uncovered:
            if not uncovered.coverage.files:
                raise ColumnsFailed(Reason.NO_FILES)
            named = [*goals, *(goal for one in filters for goal in one.goals)]
            numbers = await _held(uncovered, named)
            try:
                selection = FileSelection(uncovered.coverage, period, filters, numbers)
                yield Reading(queries, selection, uncovered)
            except ColumnsFailed as failure:
                if failure.reason is Reason.FILE:
                    self._catalogue.distrust(uncovered.coverage.files)
                raise

    def _count(self, failure: ColumnsFailed) -> None:
        self._metrics.report("rows", str(failure.reason))
        if failure.reason.is_failure and failure.reason not in self._logged:
            self._logged.add(failure.reason)
            _log.warning(
                "columns do not answer reports, which are answered from rows",
                extra={"reason": str(failure.reason), "error": str(failure)},
            )


async def _held(uncovered: Uncovered, goals: Sequence[GoalQuery]) -> Mapping[GoalQuery, int]:
    """Return the numbers of those goals whose conversions all files hold."""
    if not goals:
        return {}
    held = frozenset.intersection(*(one.goals for one in uncovered.coverage.files))
    standings = await uncovered.standings(goals)
    return {
        goal: one.number
        for goal, one in zip(goals, standings, strict=True)
        if one.number is not None and one.number in held
    }
