"""DuckDB in the process of a test, which reads the reports of stores without a process of its own."""

from contextlib import asynccontextmanager
from functools import cache

from attrs import define, evolve, field

from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reader.turn import engine_turn
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.prometheus.regions import WorkerMetrics
from footfall.entrypoints.composition.bootstrap import Adapters
from footfall.entrypoints.composition.reports import reports_over
from tests.stores.folders import folder_of_process

MOST_SITES = 100


@cache
def shared_engine():
    """Return the engine of this process; each store has rows of its own in it."""
    return Engine(folder_of_process())


@define
class EngineTurns:
    """Turns of an engine in this process; the next one begins at once."""

    engine: Engine
    sets: FreshSets = field(init=False)

    def __attrs_post_init__(self):
        self.sets = FreshSets(self.engine)

    @asynccontextmanager
    async def turn(self, asker):  # noqa: ARG002 - the port's
        """Lend a turn."""
        with engine_turn(self.engine, self.sets) as turn:
            yield turn

    async def forget(self, site_id):
        """Keep no rows of a site."""
        await self.sets.forget(site_id)

    async def end(self):
        """Keep no rows of any site of a test."""
        for site_id in range(1, MOST_SITES):
            await self.sets.forget(site_id)


class NoFiles:
    """A catalogue of a node that has no files."""

    async def files(self, site_id, start, end):  # noqa: ARG002 - the port's
        """Return no files."""
        return []

    def have_changed(self, files):
        """Whether some of no files are no longer what was listed."""
        return bool(files)


def columns_without_files(turns, connections):
    """Return the way to reports all of whose rows are fresh."""
    return Columns(turns, NoFiles(), PostgresFreshRowStore(connections), MemoryMetrics())


def reports_of(connections):
    """Return the reports over a store, all of whose rows are fresh."""
    return reports_over(connections, columns_without_files(EngineTurns(shared_engine()), connections))


def adapters_of(settings, url, turns=None, **waits):
    """Return the adapters of a worker that reads reports by itself, with a directory of its own."""
    directory = folder_of_process()
    return Adapters.of(
        evolve(settings, data_dir=directory),
        url=url,
        worker_metrics=WorkerMetrics.alone(),
        turns=turns or EngineTurns(shared_engine()),
        **waits,
    )
