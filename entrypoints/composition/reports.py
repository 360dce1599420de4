"""The reports of a worker: from rows, and from files by column where columns are on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from attrs import frozen

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.queries import Turns
from footfall.adapters.columns.reports.answers import Columns
from footfall.adapters.columns.reports.breakdowns import ColumnBreakdowns
from footfall.adapters.columns.reports.error_groups import ColumnErrorGroupReports
from footfall.adapters.columns.reports.errors import ColumnErrorReports
from footfall.adapters.columns.reports.funnels import ColumnFunnels
from footfall.adapters.columns.reports.goals import ColumnGoalReports
from footfall.adapters.columns.reports.properties import ColumnProperties
from footfall.adapters.columns.reports.traffic import ColumnTrafficReports
from footfall.adapters.columns.reports.what_if import ColumnWhatIfs
from footfall.adapters.postgres.citations.arrivals import PostgresArrivals
from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.citations.report_snapshots import (
    PostgresReportSnapshots,
    Prepare,
    ReportsOver,
    TrafficOver,
)
from footfall.adapters.postgres.database.connections import Connections, Watch
from footfall.adapters.postgres.error_groups.error_groups import PostgresErrorGroupReports
from footfall.adapters.postgres.reports.breakdowns import PostgresBreakdowns
from footfall.adapters.postgres.reports.errors.reports import PostgresErrorReports
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.funnel_reports import PostgresFunnels
from footfall.adapters.postgres.reports.goal_reports import PostgresGoalReports
from footfall.adapters.postgres.reports.property_reports import PostgresProperties
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.adapters.postgres.reports.traffic_reports import PostgresTrafficReports
from footfall.adapters.postgres.reports.what_if import PostgresWhatIfs
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.askers import Asker, ReportsBusy
from footfall.application.ports.reports.snapshots import ReportSet, ReportSnapshots
from footfall.application.reports.turns import QueuedTurns
from footfall.domain.periods.period import Period
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.composition.columns import layout_of
from footfall.entrypoints.composition.reading.node_reader import NodeTurns
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
    watch: Watch | None = None,
) -> Reports:
    """Return the reports of a worker; call it after the fork."""
    past = PastConnections(url, watch=watch)
    if turns.reader is None:
        prepare = _rows_in_turns(turns.local)
        present = rows_over(connections)
    else:
        layout = layout_of(settings)
        layout.prepare()
        columns = Columns(turns.reader, Catalogue(layout), PostgresFreshRowStore(connections), metrics)
        prepare = _columns_in_turns(turns.reader, columns)
        present = by_columns(columns, rows_over(connections))
    return Reports(
        present=present,
        snapshots=PostgresReportSnapshots(connections, past, _refusals_counted(prepare, metrics)),
        close=past.close,
    )


def _columns_in_turns(turns: Turns, columns: Columns) -> Prepare:
    """Return what prepares reports of columns in a turn of the node, and those of rows without an asker."""

    @asynccontextmanager
    async def prepare(site_id: int, span: Period, asker: Asker | None) -> AsyncIterator[ReportsOver]:
        if asker is None:
            yield rows_over
            return
        async with turns.turn(asker) as queries:
            held = await columns.held(site_id, span, queries)

            def over(
                snapshot: ReportConnections, /, *, traffic: TrafficOver = PostgresTrafficReports
            ) -> ReportSet:
                rows = rows_over(snapshot, traffic=traffic)
                return by_columns(held(PostgresFreshRowStore(snapshot)), rows)

            yield over

    return prepare


def _rows_in_turns(turns: QueuedTurns) -> Prepare:
    """Return what prepares reports of rows in a turn of this worker."""

    @asynccontextmanager
    async def prepare(_site_id: int, _span: Period, asker: Asker | None) -> AsyncIterator[ReportsOver]:
        async with nullcontext() if asker is None else turns.turn(asker):
            yield rows_over

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


def rows_over(
    connections: ReportConnections, /, *, traffic: TrafficOver = PostgresTrafficReports
) -> ReportSet:
    """Return the reports of rows over connections, or over a snapshot."""
    return ReportSet(
        goals=PostgresGoalReports(connections),
        traffic=traffic(connections),
        breakdowns=PostgresBreakdowns(connections),
        errors=PostgresErrorReports(connections),
        funnels=PostgresFunnels(connections),
        properties=PostgresProperties(connections),
        error_groups=PostgresErrorGroupReports(connections),
        what_ifs=PostgresWhatIfs(connections),
        arrivals=PostgresArrivals(connections),
    )


def by_columns(columns: Columns, rows: ReportSet) -> ReportSet:
    """Return the reports of columns, which go to those of rows where no file covers a day."""
    return ReportSet(
        goals=ColumnGoalReports(columns, rows.goals),
        traffic=ColumnTrafficReports(columns, rows.traffic),
        breakdowns=ColumnBreakdowns(columns, rows.breakdowns),
        errors=ColumnErrorReports(columns, rows.errors),
        funnels=ColumnFunnels(columns, rows.funnels),
        properties=ColumnProperties(columns, rows.properties),
        error_groups=ColumnErrorGroupReports(columns, rows.error_groups),
        what_ifs=ColumnWhatIfs(columns, rows.what_ifs),
        arrivals=rows.arrivals,
    )
