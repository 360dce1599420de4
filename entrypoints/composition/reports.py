"""The reports of a worker: from rows, and from files by column where columns are on."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from attrs import field, frozen

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.postgres.citations.arrivals import PostgresArrivals
from footfall.adapters.postgres.citations.past import PastConnections
from footfall.adapters.postgres.citations.report_snapshots import (
    PostgresReportSnapshots,
    ReportsOver,
    TrafficOver,
)
from footfall.adapters.postgres.database.connections import Connections, Watch
from footfall.adapters.postgres.error_groups.error_groups import PostgresErrorGroupReports
from footfall.adapters.postgres.reports.breakdowns import PostgresBreakdowns
from footfall.adapters.postgres.reports.errors.reports import PostgresErrorReports
from footfall.adapters.postgres.reports.funnel_reports import PostgresFunnels
from footfall.adapters.postgres.reports.goal_reports import PostgresGoalReports
from footfall.adapters.postgres.reports.property_reports import PostgresProperties
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.adapters.postgres.reports.traffic_reports import PostgresTrafficReports
from footfall.adapters.postgres.reports.uncovered import PostgresUncoveredReports
from footfall.adapters.postgres.reports.what_if import PostgresWhatIfs
from footfall.application.ports.metrics import Metrics
from footfall.application.ports.reports.snapshots import ReportSet, ReportSnapshots
from footfall.domain.periods.period import Period
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.composition.columns import layout_of
from footfall.entrypoints.settings import Settings


async def _nothing() -> None:
    return


@frozen(kw_only=True)
class Reports:
    """The reports, the snapshots that answers share, the jobs that belong to them, and what ends them."""

    present: ReportSet
    snapshots: ReportSnapshots
    jobs: Mapping[str, Job] = field(factory=dict)
    close: Job = _nothing


def reports_of(
    settings: Settings,
    connections: Connections,
    metrics: Metrics,
    show_memory: Callable[[int], None],
    *,
    url: str,
    watch: Watch | None = None,
) -> Reports:
    """Return the reports of a worker; call it after the fork."""
    past = PastConnections(url, watch=watch)
    if not settings.columns:
        return Reports(
            present=rows_over(connections),
            snapshots=PostgresReportSnapshots(connections, past, _prepare_rows),
            close=past.close,
        )
    layout = layout_of(settings)
    layout.prepare()
    engine = _part("engine").Engine(layout.root, show_memory=show_memory)
    columns = _part("reports.answers").Columns(
        engine, Catalogue(layout), PostgresUncoveredReports(connections), metrics
    )

    async def prepare(site_id: int, span: Period) -> ReportsOver:
        held = await columns.held(site_id, span)

        def over(
            snapshot: ReportConnections, /, *, traffic: TrafficOver = PostgresTrafficReports
        ) -> ReportSet:
            rows = rows_over(snapshot, traffic=traffic)
            return by_columns(held(PostgresUncoveredReports(snapshot)), rows)

        return over

    async def close() -> None:
        await past.close()
        await engine.close()

    return Reports(
        present=by_columns(columns, rows_over(connections)),
        snapshots=PostgresReportSnapshots(connections, past, prepare),
        jobs={"duckdb": engine.run},
        close=close,
    )


async def _prepare_rows(_site_id: int, _span: Period) -> ReportsOver:
    return rows_over


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


def by_columns(columns: Any, rows: ReportSet) -> ReportSet:
    """Return the reports of columns, which go to those of rows where no file covers a day."""
    return ReportSet(
        goals=_part("reports.goals").ColumnGoalReports(columns, rows.goals),
        traffic=_part("reports.traffic").ColumnTrafficReports(columns, rows.traffic),
        breakdowns=_part("reports.breakdowns").ColumnBreakdowns(columns, rows.breakdowns),
        errors=_part("reports.errors").ColumnErrorReports(columns, rows.errors),
        funnels=_part("reports.funnels").ColumnFunnels(columns, rows.funnels),
        properties=_part("reports.properties").ColumnProperties(columns, rows.properties),
        error_groups=_part("reports.error_groups").ColumnErrorGroupReports(columns, rows.error_groups),
        what_ifs=_part("reports.what_if").ColumnWhatIfs(columns, rows.what_ifs),
        arrivals=rows.arrivals,
    )


def _part(name: str) -> Any:
    """Import a module that needs DuckDB, which an installation may lack."""
    return import_module(f"footfall.adapters.columns.{name}")
