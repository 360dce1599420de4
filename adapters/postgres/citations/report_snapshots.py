"""Snapshots for answers: one transaction for all reports of an answer, and the positions that it sees."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import field, frozen

from footfall.adapters.postgres.citations.past import MOST_HITS, past_snapshot
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.error_groups.error_groups import PostgresErrorGroupReports
from footfall.adapters.postgres.reports.breakdowns import PostgresBreakdowns
from footfall.adapters.postgres.reports.error_reports import PostgresErrorReports
from footfall.adapters.postgres.reports.funnel_reports import PostgresFunnels
from footfall.adapters.postgres.reports.goal_reports import PostgresGoalReports
from footfall.adapters.postgres.reports.property_reports import PostgresProperties
from footfall.adapters.postgres.reports.snapshot import ReportConnections, SharedSnapshot, shared_snapshot
from footfall.adapters.postgres.reports.traffic_reports import PostgresTrafficReports
from footfall.adapters.postgres.reports.what_if import PostgresWhatIfs
from footfall.application.ports.report_snapshots import PastQuestion, ReportSet, ReportSnapshot
from footfall.domain.citations.past import before_records
from footfall.domain.periods.period import Period

# Prepares what has to be known before the snapshot begins, and returns what makes the reports over it.
Prepare = Callable[[int, Period], Awaitable[Callable[[ReportConnections], ReportSet]]]

# Each has a connection of its own, and its temporary tables: others wait, so that the store keeps time for the present.
PAST_AT_ONCE = 2


@frozen
class PostgresReportSnapshots:
    """ReportSnapshots over the read models, and over the log for the past."""

    _connections: ReportConnections
    _url: str = field(repr=False)
    _prepare: Prepare
    _most_hits: int = field(default=MOST_HITS, kw_only=True)
    _places: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(PAST_AT_ONCE), init=False)

    @asynccontextmanager
    async def present(self, site_id: int, span: Period) -> AsyncIterator[ReportSnapshot]:
        """Lend the present state."""
        reports_over = await self._prepare(site_id, span)
        async with shared_snapshot(self._connections) as snapshot:
            positions = await _positions(snapshot)
            yield ReportSnapshot(reports=reports_over(snapshot), **positions)

    @asynccontextmanager
    async def past(self, question: PastQuestion) -> AsyncIterator[ReportSet]:
        """Lend the reports of rows over the past."""
        async with (
            self._places,
            past_snapshot(self._url, question, most_hits=self._most_hits) as snapshot,
        ):
            yield ReportSet(
                goals=PostgresGoalReports(snapshot, reads_sums=False),
                traffic=PostgresTrafficReports(snapshot, reads_sums=False),
                breakdowns=PostgresBreakdowns(snapshot),
                errors=PostgresErrorReports(snapshot, reads_sums=False),
                funnels=PostgresFunnels(snapshot),
                properties=PostgresProperties(snapshot),
                error_groups=PostgresErrorGroupReports(snapshot),
                what_ifs=PostgresWhatIfs(snapshot),
            )

    async def positions_at(self, _site_id: int, at: datetime) -> tuple[int, int]:
        """Return the positions of the last minute that was over."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("citations/positions/at"), {"at": at})
            if row := await cursor.fetchone():
                return row["journal"], row["traffic"]
            cursor = await connection.execute(statement("citations/positions/first_minute"))
            [known] = await cursor.fetchall()
        raise before_records(known["first"])


async def _positions(snapshot: SharedSnapshot) -> dict[str, int]:
    async with snapshot.connection() as connection:
        [row] = await (await connection.execute(statement("citations/positions/present"))).fetchall()
    return row
