"""The reports of a worker: sums and lists of the store, and all others from files and fresh rows."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from attrs import frozen

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.queries import NodeTurns, Turns
from footfall.adapters.columns.reports.bots import ColumnBots
from footfall.adapters.columns.reports.breakdowns import ColumnBreakdowns
from footfall.adapters.columns.reports.cohorts import ColumnCohorts
from footfall.adapters.columns.reports.error_costs import ColumnErrorCosts
from footfall.adapters.columns.reports.errors import ColumnErrorNames
from footfall.adapters.columns.reports.funnels import ColumnFunnels
from footfall.adapters.columns.reports.goals import ColumnGoalReports
from footfall.adapters.columns.reports.journeys import ColumnJourneys
from footfall.adapters.columns.reports.properties import ColumnProperties
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.columns.reports.revenue import ColumnRevenue
from footfall.adapters.columns.reports.sessions import ColumnSessions
from footfall.adapters.columns.reports.traffic import ColumnTrafficReports
from footfall.adapters.columns.reports.what_if_reports import ColumnWhatIfs
from footfall.adapters.postgres.citations.arrivals import PostgresArrivals
from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.citations.report_snapshots import (
    PostgresReportSnapshots,
    Prepare,
    ReportsOver,
)
from footfall.adapters.postgres.database.connections import Connections, ServerWatch
from footfall.adapters.postgres.error_groups.error_groups import PostgresStoredGroups
from footfall.adapters.postgres.reports.all_sites import LOG, PostgresDataSince
from footfall.adapters.postgres.reports.errors.reports import PostgresStoredErrors
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.live_reports import PostgresLiveReports
from footfall.adapters.postgres.reports.refused_bots import PostgresRefusedBots
from footfall.adapters.postgres.reports.refused_hits import PostgresRefusedHits
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.adapters.postgres.reports.stored_conversions import PostgresStoredConversions
from footfall.adapters.postgres.reports.stored_sessions import PostgresStoredSessions
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.askers import Asker, ReportsBusy
from footfall.application.ports.reports.snapshots import ReportSet, ReportSnapshots
from footfall.domain.periods.period import Period
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.composition.columns import layout_of
from footfall.entrypoints.settings import Settings


@frozen(kw_only=True)
class Reports:
    """The reports outside of answers, which are scheduled, the snapshots that answers share, and what ends them."""

    present: ReportSet
    snapshots: ReportSnapshots
    close: Job


def reports_of(
    settings: Settings,
    connections: Connections,
    metrics: Metrics,
    turns: NodeTurns,
    *,
    url: str,
    watch: ServerWatch | None = None,
) -> Reports:
    """Return the reports of a worker; call it after the fork."""
    past, layout = PastConnections(url, watch=watch), layout_of(settings)
    layout.prepare()
    columns = Columns(turns, Catalogue(layout), PostgresFreshRowStore(connections), metrics)
    return Reports(
        present=reports_over(connections, columns),
        snapshots=PostgresReportSnapshots(
            connections, past, _refusals_counted(in_turns(turns, columns), metrics)
        ),
        close=past.close,
    )


def in_turns(turns: Turns, columns: Columns) -> Prepare:
    """Return what prepares reports in a turn of the node; without an asker they are those that need none."""

    @asynccontextmanager
    async def prepare(site_id: int, span: Period, asker: Asker | None) -> AsyncIterator[ReportsOver]:
        async with AsyncExitStack() as stack:
            queries = None if asker is None else await stack.enter_async_context(turns.turn(asker))
            of_columns = await columns.held(site_id, span, queries)

            def over(snapshot: ReportConnections, /, *, log: str = LOG) -> ReportSet:
                return reports_over(snapshot, of_columns(PostgresFreshRowStore(snapshot)), log=log)

            yield over

    return prepare


def _refusals_counted(prepare: Prepare, metrics: Metrics) -> Prepare:
    @asynccontextmanager
    async def counted(site_id: int, span: Period, asker: Asker | None) -> AsyncIterator[ReportsOver]:
        try:
            async with prepare(site_id, span, asker) as reports_over:
                yield reports_over
        except ReportsBusy:
            metrics.refused_report(str(asker.kind) if asker else "")
            raise

    return counted


def reports_over(connections: ReportConnections, columns: Columns, *, log: str = LOG) -> ReportSet:
    """Return the reports over connections, or over a snapshot."""
    stored_errors = PostgresStoredErrors(connections, compile_patterns)
    sessions = PostgresStoredSessions(connections)
    return ReportSet(
        goals=ColumnGoalReports(columns, PostgresStoredConversions(connections), sessions),
        traffic=ColumnTrafficReports(columns, PostgresDataSince(connections, log=log)),
        sessions=ColumnSessions(columns, sessions),
        breakdowns=ColumnBreakdowns(columns),
        bots=ColumnBots(columns, PostgresRefusedBots(connections)),
        cohorts=ColumnCohorts(columns),
        revenue=ColumnRevenue(columns),
        live=PostgresLiveReports(connections, compile_patterns),
        errors=stored_errors,
        error_names=ColumnErrorNames(columns, stored_errors),
        funnels=ColumnFunnels(columns),
        journeys=ColumnJourneys(columns),
        properties=ColumnProperties(columns),
        error_groups=PostgresStoredGroups(connections, compile_patterns),
        error_costs=ColumnErrorCosts(columns),
        what_ifs=ColumnWhatIfs(columns, PostgresRefusedHits(connections, compile_patterns), sessions),
        arrivals=PostgresArrivals(connections),
    )
