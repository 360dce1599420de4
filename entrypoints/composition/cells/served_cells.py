"""The cells that a worker serves: as the journal names them, at the places that the configuration knows."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from attrs import define, evolve, field, fields, frozen

from footfall.adapters.columns.queries import NodeTurns
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.journal_copy import PostgresJournalCopy
from footfall.adapters.postgres.cells.move_signs import PostgresMoveSigns
from footfall.adapters.postgres.cells.places import PostgresCellTraffic
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.application.cells.home_follower import FollowingIntake, HomeFollower
from footfall.application.cells.interrupted_moves import MoveFollower
from footfall.application.cells.journal_copies import CellFreshness, JournalFollower
from footfall.application.cells.routing import routed
from footfall.application.cells.snapshots import RoutedSnapshots
from footfall.application.commands.cells import CellCommands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.alerts.window_reports import WindowReports
from footfall.application.ports.cells import CellAway, MovedTo
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import AllSitesReports, Freshness, Lag
from footfall.application.ports.reports.snapshots import ReportSet, ReportSnapshots
from footfall.application.ports.traffic_log import Intake, NewestPageviews, OutcomeLedger
from footfall.domain.cells.cell import MAIN, Cell
from footfall.entrypoints.composition.background import Background, Job
from footfall.entrypoints.composition.cells.cell_homes import CellHomes
from footfall.entrypoints.composition.cells.idle_cells import CellLooks
from footfall.entrypoints.composition.commands.visitor_erasing import VisitorErasing
from footfall.entrypoints.composition.reports import Reports
from footfall.entrypoints.composition.store_health import StoreLook
from footfall.entrypoints.composition.traffic_store import TrafficStore
from footfall.entrypoints.settings import Settings

SYNC_SECONDS = 0.2
# A request may need connections of the place that a cell has left for as long: it is answered by then.
LEAVE_SECONDS = 10.0


@frozen
class ServedCell:
    """A cell with its adapters and the jobs that run for it."""

    cell: Cell
    store: TrafficStore
    freshness: CellFreshness
    follower: JournalFollower
    background: Background
    look: StoreLook

    def is_of(self, cell: Cell, url: str | None) -> bool:
        """Whether this is the store at the place of the cell, whose URL is known."""
        return (self.cell.place, self.cell.mark, self.store.url) == (cell.place, cell.mark, url)

    async def leave(self, stopping: asyncio.Event, within: float = LEAVE_SECONDS) -> None:
        """End all jobs of a cell that has moved, and close its connections when earlier requests have their answers."""
        await self._end_jobs()
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await stopping.wait()
        await self._close_reports()
        await self.store.connections.close()

    async def end(self) -> None:
        """Store what waits, end the jobs and close the connections of reports; the others are closed last."""
        await self._end_jobs()
        await self._close_reports()

    async def _end_jobs(self) -> None:
        await self.store.intake.drain()
        await self.background.stop()

    async def _close_reports(self) -> None:
        self.look.close()
        if self.store.server_watch is not None:
            self.store.server_watch.close()
        await self.store.reports.close()
        await self.store.report_connections.close()


@frozen
class _Bound:
    """What is built from the ports of cells."""

    directory: Directory
    commands: CellCommands
    visitors: VisitorErasing

    def cells(self) -> Sequence[Cell]:
        """Return the cells beside the store of the journal."""
        return [cell for cell in self.directory.cells() if cell.name != MAIN]


@define(eq=False)
class ServedCells:
    """Begins to serve each cell that the journal names.

    `bind` tells it the directory and the commands, which are built from its ports.
    """

    _settings: Settings = field(repr=False)
    _main: TrafficStore
    _metrics: SharedMetrics
    _turns: NodeTurns
    _served: dict[str, ServedCell] = field(factory=dict, init=False)
    _bound: _Bound | None = field(default=None, init=False)
    _leaving: set[asyncio.Task[None]] = field(factory=set, init=False)
    _stopping: asyncio.Event = field(factory=asyncio.Event, init=False)
    _beginning: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _homes: CellHomes = field(init=False)
    _looks: CellLooks = field(init=False)
    _main_look: StoreLook = field(init=False)

    @_main_look.default
    def _make_main_look(self) -> StoreLook:
        return StoreLook(self._main)

    @_homes.default
    def _make_homes(self) -> CellHomes:
        return CellHomes(self._settings.cells)

    @_looks.default
    def _make_looks(self) -> CellLooks:
        return CellLooks(self._settings.data_dir / "cells", self._followers)

    def bind(self, directory: Directory, commands: CellCommands, visitors: VisitorErasing) -> None:
        """Serve the cells of this directory; by the commands the journal is told of moves that were interrupted.

        Visitors of their sites are erased by `visitors`.
        """
        self._bound = _Bound(directory, commands, visitors)

    @property
    def configured(self) -> bool:
        """Whether the configuration names places of cells."""
        return bool(self._settings.cells)

    @property
    def stores(self) -> Mapping[str, TrafficStore]:
        """The stores of the cells that are served now."""
        return {name: served.store for name, served in self._served.items()}

    def cell_of(self, site_id: int) -> str | None:
        """Return the cell of a site; None for the store of the journal."""
        return None if self._bound is None else self._bound.directory.cell_of(site_id)

    def placements(self) -> Mapping[int, str]:
        """Return the cells of the sites that are in one."""
        return {} if self._bound is None else self._bound.directory.state.placements

    def store_of(self, site_id: int) -> TrafficStore:
        """Return the store of the traffic of a site.

        Raises:
            CellAway: its cell is at a place that is not configured here.

        """
        cell = self.cell_of(site_id)
        return self._main if cell is None else self._cell(cell).store

    def intake_of(self, cell: str | None) -> Intake:
        """Return the way into the store of a cell.

        Raises:
            CellAway: it is at a place that is not configured here.

        """
        if cell is None:
            return self._main.intake
        served = self._cell(cell)
        if not self._homes.moves(served.cell):
            return served.store.entrance
        return FollowingIntake(lambda: self._cell(cell).store.entrance, lambda: self._follow(served.cell))

    def all_sites_of(self, cell: str | None) -> AllSitesReports:
        """Return the reports on many sites of a cell.

        Raises:
            CellAway: it is at a place that is not configured here.

        """
        return (self._main if cell is None else self._cell(cell).store).all_sites

    def freshness_of(self, site_id: int) -> Freshness:
        """Return the freshness of the reports of a site.

        Raises:
            CellAway: its cell is at a place that is not configured here.

        """
        cell = self.cell_of(site_id)
        return self._main.freshness if cell is None else self._cell(cell).freshness

    def ledger_of(self, cell: str) -> OutcomeLedger:
        """Return the ledger of a cell.

        Raises:
            CellAway: it is at a place that is not configured here.

        """
        return self._cell(cell).store.outcome_ledger

    def reports(self) -> Reports:
        """Return the reports of all stores: each question goes to that of its site."""
        parts = {
            part.name: routed(cast("type[Any]", part.type), self._part_of(part.name))
            for part in fields(ReportSet)
        }
        snapshots = RoutedSnapshots(self._snapshots_of)
        return evolve(self._main.reports, present=ReportSet(**parts), snapshots=snapshots)

    def windows(self) -> WindowReports:
        """Return the series that alerts need, each from the store of its site."""
        return routed(WindowReports, lambda site_id: self.store_of(site_id).windows)  # type: ignore[type-abstract]

    def newest_pageviews(self) -> NewestPageviews:
        """Return what finds pageviews, each in the store of its site."""
        return routed(NewestPageviews, lambda site_id: self.store_of(site_id).newest_pageviews)  # type: ignore[type-abstract]

    def _snapshots_of(self, site_id: int) -> tuple[ReportSnapshots, JournalFollower | None]:
        cell = self.cell_of(site_id)
        if cell is None:
            return self._main.reports.snapshots, None
        served = self._cell(cell)
        return served.store.reports.snapshots, served.follower

    def _part_of(self, name: str) -> Callable[[int], Any]:
        return lambda site_id: getattr(self.store_of(site_id).reports.present, name)

    async def recent(self) -> Mapping[str, int]:
        """Return the events that each cell that answers has stored within a week."""
        pools: dict[str, Connections] = {MAIN: self._main.connections}
        pools |= {name: store.connections for name, store in self.stores.items()}
        return await PostgresCellTraffic(pools, self._main.clock).recent()

    async def main_obstacles(self) -> list[str]:
        """Return why the store of the journal does not take or show traffic; none when it does."""
        return list((await self._main_look.standing()).obstacles)

    async def obstacles(self) -> Mapping[str, Sequence[str]]:
        """Return for each cell why it does not take or show traffic; none when it does."""
        cells = [] if self._bound is None else self._bound.cells()
        by_cell = await asyncio.gather(*(self._obstacles_of(cell) for cell in cells))
        return {cell.name: obstacles for cell, obstacles in zip(cells, by_cell, strict=True)}

    async def lags(self) -> Mapping[str, Lag | None]:
        """Return how far the reports of each cell are behind; None for one that does not answer."""
        served = dict(self._served)
        standings = await asyncio.gather(*(cell.look.standing() for cell in served.values()))
        return {name: standing.lag for name, standing in zip(served, standings, strict=True)}

    async def catch_up(self, site_id: int) -> int:
        """Return when the reports of a site are complete, or after a second."""
        return await self.freshness_of(site_id).catch_up(site_id)

    async def lag(self, site_id: int | None = None) -> Lag:
        """Return how far the reports of the store of a site are behind; without one, of all stores that answer."""
        if site_id is not None:
            return await self.freshness_of(site_id).lag(site_id)
        main, of_cells = await asyncio.gather(self._main_look.standing(), self.lags())
        if main.lag is None:
            raise StoreUnavailable("the store of the journal does not answer")
        lags = [main.lag, *(lag for lag in of_cells.values() if lag)]
        return Lag(sum(lag.events for lag in lags), max(lag.seconds for lag in lags))

    @property
    def jobs(self) -> Mapping[str, Job]:
        """The background jobs for all cells together."""
        return {"cells": self.run, "looks at cells": self._looks.run}

    async def run(self) -> None:
        """Follow the journal until cancelled."""
        while True:
            await self.sync()
            await asyncio.sleep(SYNC_SECONDS)

    async def sync(self) -> None:
        """Begin to serve what is new."""
        if self._bound is None:
            return
        # The start of the worker and the job both come here, and to begin takes a moment.
        async with self._beginning:
            for cell in self._bound.cells():
                await self._serve(cell, self._bound)

    async def drain(self) -> None:
        """Store what waits, end all jobs of cells, and keep the connections that the last counts need."""
        self._stopping.set()
        await asyncio.gather(*(served.end() for served in self._served.values()), *self._leaving)

    async def close(self) -> None:
        """Close all connections."""
        self._main_look.close()
        await self._homes.close()
        for store in self.stores.values():
            await store.connections.close()

    async def _serve(self, cell: Cell, bound: _Bound) -> None:
        """Serve a cell at its place; the place from which it has moved is left."""
        served = self._served.get(cell.name)
        url = await self._homes.url_of(cell)
        if served is not None and served.is_of(cell, url):
            return
        if url is not None:
            self._served[cell.name] = await self._begin(cell, bound, url)
        elif served is not None:
            del self._served[cell.name]
        if served is not None:
            leaving = asyncio.create_task(served.leave(self._stopping))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _follow(self, cell: Cell) -> None:
        """Serve a cell at the server where it is now."""
        with suppress(StoreUnavailable):
            await self._homes.look(cell)
        await self.sync()

    async def _moved(self, cell: str, to: MovedTo) -> None:
        if self._bound is not None:
            await self._bound.commands.move(cell, to.place, to.mark, CommandContext())

    def _cell(self, name: str) -> ServedCell:
        served = self._served.get(name)
        if served is None:
            raise CellAway(
                f"the cell {name} is at a place that FOOTFALL_CELLS does not name, or its node is away"
            )
        served.store.pulse.use()
        return served

    def _followers(self) -> Mapping[str, tuple[JournalFollower, Pulse]]:
        return {name: (served.follower, served.store.pulse) for name, served in self._served.items()}

    async def _begin(self, cell: Cell, bound: _Bound, url: str) -> ServedCell:
        identity = CellIdentity(cell.name, cell.mark)
        store = TrafficStore.of(
            self._settings,
            url=url,
            metrics=self._metrics,
            turns=self._turns,
            clock=self._main.clock,
            patience_seconds=self._main.freshness.patience_seconds,
            identity=identity,
        )
        directory = bound.directory
        copy = PostgresJournalCopy(cell.name, cell.mark, self._main.connections, store.connections)
        follower = JournalFollower(
            cell.name,
            copy,
            lambda: directory.position,
            lambda: directory.state.cell_positions.get(cell.name, 0),
            store.pulse,
        )
        store.pulse.use()
        jobs = {"move": self._move_job(cell, store), **store.jobs(directory, bound.visitors)}
        background = Background(jobs, log_fields={"cell": cell.name})
        await store.open()
        background.start()
        freshness = CellFreshness(follower, store.freshness)
        return ServedCell(cell, store, freshness, follower, background, StoreLook(store))

    def _move_job(self, cell: Cell, store: TrafficStore) -> Job:
        if self._homes.moves(cell):
            return HomeFollower(cell.name, lambda: self._homes.look(cell)).run
        signs = PostgresMoveSigns(store.connections, store.url, cell.mark)
        return MoveFollower(cell.name, signs, self._moved, store.pulse).run

    async def _obstacles_of(self, cell: Cell) -> Sequence[str]:
        served = self._served.get(cell.name)
        if served is None and cell.place in self._settings.cells:
            return ["its home node is not found"]
        if served is None:
            return [f"its place {cell.place} is not named by FOOTFALL_CELLS"]
        return (await served.look.standing()).obstacles
