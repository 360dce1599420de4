"""A site whose fresh rows tests bring for turns."""

from contextlib import asynccontextmanager

from attrs import evolve

from footfall.adapters.columns.queries import SiteQuestion
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reader.turn import EngineTurn
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.postgres.reports.snapshot import shared_snapshot
from tests.histories import SITE, after, days, hit, record
from tests.stores.stored import catch_up

PERIOD = days("2026-03-25", "2026-04-03")
LOG = record(
    *(
        hit(after(days=day, minutes=minute), visitor_id=visitor, pathname=f"/{minute}")
        for day in range(3)
        for visitor in range(1, 4)
        for minute in (0, 10)
    )
)
PAGES = "select count(*) from hit"
SESSIONS = "select count(*), sum(pageviews)::bigint from session"


class Site:
    """A site with files of its first days, and turns over one engine."""

    def __init__(self, stored, node):
        self.stored = stored
        self.node = node
        self.sets = FreshSets(node.engine)
        self.wanted = []
        # How many sessions.
        self.brought = []
        # What happens while rows are brought.
        self.meanwhile = None

    async def append(self, *hits):
        """Store and project later hits."""
        first = await self.stored.position() + 1
        await self.stored.append(record(*hits, first=first))
        await catch_up(self.stored.projector)

    def snapshot(self):
        """Lend a snapshot."""
        return shared_snapshot(self.stored.connections)

    async def prepare(self, turn, snapshot=None, *, left_out=None, also=(), period=PERIOD):
        """Let a turn see the state of a snapshot, by default of one that ends at once."""
        if snapshot is None:
            async with self.snapshot() as own:
                return await self.prepare(turn, own, left_out=left_out, also=also, period=period)
        store = PostgresFreshRowStore(snapshot)
        async with store.begin(SITE, period, self.node.listed) as rows:

            async def copy(wanted, directory):
                self.wanted.append(evolve(wanted, most_bytes=None, near=None))
                await rows.copy(wanted, directory)
                if self.meanwhile is not None:
                    await self.meanwhile()
                self.brought.append(len((directory / "sessions.csv").read_text().splitlines()) - 1)

            coverage = rows.state.coverage
            changed = [one for sessions in coverage.changed.values() for one in sessions]
            question = SiteQuestion(
                SITE,
                rows.state.position,
                rows.state.epoch,
                coverage.days,
                changed,
                left_out=left_out and evolve(left_out, files=[*coverage.files, *also]),
            )
            await turn.prepare(question, copy)
            return coverage.files

    async def counted(self, turn, files):
        """Return the hits, the sessions and the pageviews that a turn sees."""
        [(hits,)] = await turn.query(PAGES, {}, files=files)
        [(sessions, pageviews)] = await turn.query(SESSIONS, {}, files=files)
        assert hits == pageviews
        return hits, sessions

    @asynccontextmanager
    async def turn(self):
        """Lend a turn."""
        turn = EngineTurn(self.node.engine, self.sets)
        try:
            yield turn
        finally:
            turn.end()

    async def asked(self, **question):
        """Return what a new turn sees of a new snapshot."""
        async with self.turn() as turn:
            return await self.counted(turn, await self.prepare(turn, **question))

    async def tables(self):
        """Return how many tables with fresh rows there are."""
        rows = await self.node.engine.query(
            "select count(*) from duckdb_tables() where table_name like 'fresh_%'", {}
        )
        return rows[0][0]
