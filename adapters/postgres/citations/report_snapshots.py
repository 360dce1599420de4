"""Snapshots for answers: one transaction for all reports of an answer, and the positions that it sees."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.reports.all_sites import LOG
from footfall.adapters.postgres.reports.snapshot import ReportConnections, SharedSnapshot, shared_snapshot
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion, ReportSet, ReportSnapshot
from footfall.domain.citations.past_refusals import before_records
from footfall.domain.periods.period import Period


class ReportsOver(Protocol):
    """Makes the reports over a snapshot."""

    def __call__(self, connections: ReportConnections, /, *, log: str = LOG) -> ReportSet:
        """Return the reports; the past has all hits in a table of its own."""


# Waits for the turn of the asker, who may need none, and prepares what has to be known before the snapshot begins.
Prepare = Callable[[int, Period, Asker | None], AbstractAsyncContextManager[ReportsOver]]

# Each has a connection of its own, and its temporary tables: others wait, so that the store keeps time for the present.
PAST_AT_ONCE = 2
PAST_LOG = "earlier_hit"


@frozen
class PostgresReportSnapshots:
    """ReportSnapshots over the read models, and over the log for the past."""

    _connections: ReportConnections
    _past: PastConnections
    _prepare: Prepare
    _places: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(PAST_AT_ONCE), init=False)

    @asynccontextmanager
    async def present(
        self, site_id: int, span: Period, asker: Asker | None = None
    ) -> AsyncIterator[ReportSnapshot]:
        """Lend the present state."""
        async with (
            self._prepare(site_id, span, asker) as reports_over,
            shared_snapshot(self._connections) as snapshot,
        ):
            positions = await _positions(snapshot)
            yield ReportSnapshot(reports=reports_over(snapshot), **positions)

    @asynccontextmanager
    async def past(self, question: PastQuestion, asker: Asker | None = None) -> AsyncIterator[ReportSet]:
        """Lend the reports over the past, with the arrivals of the question."""
        async with (
            self._prepare(question.positions.site_id, question.span, asker) as reports_over,
            self._places,
            self._past.snapshot(question) as snapshot,
        ):
            yield reports_over(snapshot, log=PAST_LOG)

    async def positions_at(self, _site_id: int, at: datetime) -> tuple[int, int]:
        """Return the positions of the last minute that was over."""
        async with self._connections.connection() as connection:
            if row := await connection.row("citations/past/at", at=at):
                return row["journal"], row["traffic"]
            [minutes] = await connection.rows("citations/past/first_minute")
        raise before_records(minutes["first"])


async def _positions(snapshot: SharedSnapshot) -> dict[str, int]:
    async with snapshot.connection() as connection:
        [row] = await connection.rows("citations/past/present")
    return row
