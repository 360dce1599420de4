"""A node over a store, with the files that the service makes itself."""

import shutil

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.plan import chosen_directories, gatherings, usable_directories
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.system import SystemClock
from footfall.entrypoints.composition.reports import in_turns, reports_over
from tests.histories import SITE
from tests.stores.reading import EngineTurns
from tests.stores.stored import MEMBER


class Node:
    """A node with files that the service makes, and the reports that read them."""

    def __init__(self, stored, directory):
        self.stored = stored
        self.layout = FilesLayout(directory)
        self.layout.prepare()
        self.engine = Engine(directory)
        self.metrics = MemoryMetrics()
        self.store = PostgresColumnStore(stored.connections, stored.url, quiet=None, small=0)
        self.maker = Maker(self.layout, self.store, SystemClock())
        fresh = PostgresFreshRowStore(stored.reading)
        self.turns = EngineTurns(self.engine)
        self.columns = Columns(self.turns, Catalogue(self.layout), fresh, self.metrics)
        self.reports = reports_over(stored.reading, self.columns)

    def present(self, span):
        """Return the present state of the store, in which all reports of an answer are asked."""
        prepare = in_turns(self.turns, self.columns)
        return PostgresReportSnapshots(self.stored.reading, self.stored.past, prepare).present(
            SITE, span, MEMBER
        )

    async def empty(self):
        """Forget everything."""
        await self.stored.empty()
        for directory in self.layout.directories(SITE):
            shutil.rmtree(directory)
        self.metrics.reports.clear()
        await self.turns.sets.forget(SITE)

    async def make(self, chance):
        """Close all days that are open, make the files of some of those that are closed, and gather some."""
        await self.store.close_due()
        days = list(await self.store.closed_days(SITE))
        while days:
            several, days = days[: chance.choice([1, 2, 7])], days[7:]
            if chance.random() < 0.8:
                await self.maker.make(several)
        if chance.random() < 0.5:
            found = usable_directories(self.layout)
            chosen = chosen_directories(found, await self.store.closed_days(SITE))
            for parts in gatherings(chosen, SystemClock().now()):
                self.maker.gather(parts)
