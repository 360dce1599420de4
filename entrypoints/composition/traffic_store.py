"""The adapters of one store of traffic: the store of the journal, which keeps traffic too, or a cell."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from attrs import evolve, field, frozen

from footfall.adapters.columns.queries import NodeTurns
from footfall.adapters.http.resources.health import ColumnsState
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.database.connections import REPORT_SECONDS, REQUEST_SECONDS, Connections
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.readiness import PostgresReadiness
from footfall.adapters.postgres.database.server_watch import HangingServerWatch
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.measure_rows import PostgresNewestPageviews
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.intake.partitions import make_partitions_ahead
from footfall.adapters.postgres.intake.watched_intake import WatchedIntake
from footfall.adapters.postgres.maintenance.old_records import PostgresExpiry
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.postgres.projections.freshness import PostgresFreshness
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.postgres.projections.renewal import Renewal
from footfall.adapters.postgres.reports.all_sites import PostgresAllSites
from footfall.adapters.postgres.reports.window_reports import PostgresWindowReports
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.postgres.visitors.visitor_data import PostgresVisitorData
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.journal.directory import Directory
from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.maintenance.retention import Retention
from footfall.application.maintenance.site_erasure import Eraser
from footfall.application.ports.system import Clock
from footfall.application.ports.traffic_log import Intake
from footfall.domain.cells.cell import MAIN
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.composition.columns import columns_state, keeping_job, show_columns
from footfall.entrypoints.composition.commands.rebuild_files import rebuild
from footfall.entrypoints.composition.commands.visitor_erasing import VisitorErasing
from footfall.entrypoints.composition.projectors import build_projector
from footfall.entrypoints.composition.reports import Reports, reports_of
from footfall.entrypoints.settings import Settings

# The connections of a cell end when they have not been used for as long.
IDLE_SECONDS = 30.0


@frozen(kw_only=True)
class TrafficStore:
    """The adapters of one worker for one store of traffic; `cell` is None for the store of the journal."""

    cell: str | None
    url: str = field(repr=False)
    connections: Connections
    # Long reports have a pool of their own, so that other requests do not wait for a connection.
    report_connections: Connections
    intake: PostgresIntake
    # The way in, which ends the waits for a server that hangs.
    entrance: Intake
    newest_pageviews: PostgresNewestPageviews
    outcome_ledger: PostgresOutcomeLedger
    projector: Projector
    freshness: PostgresFreshness
    reports: Reports
    windows: PostgresWindowReports
    all_sites: PostgresAllSites
    visitor_data: PostgresVisitorData
    visitor_erasures: PostgresVisitorErasures
    keep_columns: Job
    columns_state: ColumnsState
    rebuild: Job
    clock: Clock
    pulse: Pulse
    # None for the store of the journal, without which there is little to answer.
    server_watch: HangingServerWatch | None

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        url: str,
        metrics: SharedMetrics,
        turns: NodeTurns,
        clock: Clock,
        patience_seconds: float,
        identity: CellIdentity | None = None,
    ) -> "TrafficStore":
        """Return the adapters of a store, that of a cell with an identity; nothing is opened yet."""
        cell = None if identity is None else identity.cell
        require = None if identity is None else identity.require
        settings = settings if cell is None else settings_of_cell(settings, cell, url)
        # Most of many cells are idle: their connections and their jobs' time would be those of the busy ones.
        pulse, idle = (Pulse.of_main(), None) if cell is None else (Pulse(), IDLE_SECONDS)
        server_watch = None if cell is None else HangingServerWatch(url)
        pooled = partial(Connections, require=require, idle_seconds=idle, watch=server_watch)
        connections = pooled(url, answer_seconds=REQUEST_SECONDS)
        report_connections = pooled(layout_of(url).for_reports(url), answer_seconds=REPORT_SECONDS)
        projector = build_projector(url, pulse=pulse, pool=connections)
        intake = PostgresIntake(url, metrics=metrics, require=require, keep_seconds=idle)
        show = partial(show_columns, metrics, cell or MAIN)
        return cls(
            cell=cell,
            url=url,
            connections=connections,
            report_connections=report_connections,
            intake=intake,
            entrance=intake if server_watch is None else WatchedIntake(intake, server_watch),
            newest_pageviews=PostgresNewestPageviews(connections),
            outcome_ledger=PostgresOutcomeLedger(connections),
            projector=projector,
            freshness=PostgresFreshness(
                connections, clock, projector.wake, patience_seconds=patience_seconds
            ),
            reports=reports_of(settings, report_connections, metrics, turns, url=url, watch=server_watch),
            windows=PostgresWindowReports(report_connections, compile_patterns),
            all_sites=PostgresAllSites(report_connections, compile_patterns),
            visitor_data=PostgresVisitorData(report_connections),
            visitor_erasures=PostgresVisitorErasures(connections, url),
            keep_columns=keeping_job(settings, connections, url, show, pulse, turns),
            columns_state=columns_state(settings),
            rebuild=partial(rebuild, settings, url, lambda _position, _target: None),
            clock=clock,
            pulse=pulse,
            server_watch=server_watch,
        )

    async def obstacles(self) -> list[str]:
        """Return the reasons why this store does not take or show traffic, in words for an operator."""
        return await PostgresReadiness(self.connections, self.intake.refusing).obstacles()

    def jobs(self, directory: Directory, visitors: VisitorErasing) -> Mapping[str, Job]:
        """Return the background jobs that a store of traffic has."""
        connections, url, months = self.connections, self.url, layout_of(self.url).months_ahead
        retention_store = PostgresRetentionStore(connections, url)
        listing = visitors.listing(self.visitor_erasures)
        return {
            "intake": self.intake.run,
            "projector": self.projector.run,
            "renewal": Renewal(connections, self.rebuild).run,
            "eraser": Eraser(
                PostgresErasures(connections, url), self.clock, pulse=self.pulse, listed=listing.work
            ).run,
            "visitors": visitors.of(url, connections, self.pulse).run,
            "erasure list": listing.run,
            "retention": Retention(retention_store, directory, self.clock, cell=self.cell).run,
            "expiry": self._forget_old,
            "columns": self.keep_columns,
            **({"months": partial(self._make_months, months)} if months else {}),
        }

    async def open(self) -> None:
        """Open the connections; does not wait for the server."""
        await self.connections.open()
        await self.report_connections.open()

    def pools(self) -> Mapping[str, Callable[[], Mapping[str, int]]]:
        """Return the pools by name."""
        prefix = "" if self.cell is None else f"{self.cell} "
        return {
            f"{prefix}main": self.connections.figures,
            f"{prefix}reports": self.report_connections.figures,
        }

    async def _make_months(self, months: int) -> None:
        await repeat(
            lambda: make_partitions_ahead(self.connections, self.clock.now(), months),
            seconds=HOUR,
            delayed="the next months have no partition yet; trying again in an hour",
        )

    async def _forget_old(self) -> None:
        expiry = PostgresExpiry(self.connections)
        await repeat(
            lambda: expiry.forget_old(self.clock.now()),
            seconds=HOUR,
            delayed="old idempotency keys and counts cannot be forgotten yet; trying again in an hour",
        )


def settings_of_cell(settings: Settings, cell: str, url: str) -> Settings:
    """Return the settings of an installation that has nothing but the store of a cell, with files of its own."""
    return evolve(settings, database_url=url, cells={}, data_dir=_folder_of(settings.data_dir, cell))


def _folder_of(data_dir: Path, cell: str) -> Path:
    return data_dir / "cells" / cell
