"""What happens to files and processes while reports are read: a number is right, or there is none."""

import random
import shutil
from datetime import timedelta

import pytest
from attrs import define, field

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.queries import ColumnsFailed, SiteQuestion
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker
from footfall.domain.traffic.session import visits
from tests.histories import SITE, START, days, hit, record
from tests.integration.columns.test_reader import Node as ReaderNode
from tests.integration.columns.test_reader import supervised
from tests.stores.columns import EngineTurns
from tests.stores.stored import catch_up

DAY = timedelta(days=1)
PERIOD = days("2026-03-25", "2026-04-10")
SUMS = "select count(*), sum(session_id)::bigint, sum(pageviews)::bigint from session"
HITS = "select count(*), sum(position)::bigint, count(distinct pathname) from hit"
MEMBER = Asker.of("acme", belongs=True)


@define
class Site:
    """A site with files, and what reads them with the rows that they do not hold."""

    stored: object
    layout: FilesLayout
    turns: object
    catalogue: Catalogue = field(init=False)

    def __attrs_post_init__(self):
        self.catalogue = Catalogue(self.layout)

    async def append(self, chance, number):
        """Store and project hits of any day."""
        hits = [
            hit(
                START + chance.random() * 6 * DAY,
                visitor_id=chance.randint(1, 20),
                pathname=f"/{chance.randint(1, 9)}",
            )
            for _ in range(number)
        ]
        await self.stored.append(record(*hits, first=await self.stored.position() + 1))
        await catch_up(self.stored.projector)

    async def answer(self, *, before=None, meanwhile=None):
        """Return what queries find, as an answer does; None if files have changed meanwhile.

        `before` happens when the store brings rows, and `meanwhile` between two queries.
        """
        files = await self.catalogue.files(SITE, PERIOD.start - DAY, PERIOD.end)
        store = PostgresFreshRowStore(self.stored.connections)
        async with store.begin(SITE, PERIOD, files) as rows, self.turns.turn(MEMBER) as turn:
            coverage, state = rows.state.coverage, rows.state

            async def copy(wanted, directory):
                await rows.copy(wanted, directory)
                if before is not None:
                    before(directory)

            changed = [one for sessions in coverage.changed.values() for one in sessions]
            await turn.prepare(SiteQuestion(SITE, state.position, state.epoch, coverage.days, changed), copy)
            found = [*await turn.query(SUMS, {}, (), coverage.files)]
            if meanwhile is not None:
                meanwhile()
            found += await turn.query(HITS, {}, (), coverage.files)
        return None if self.catalogue.have_changed(coverage.files) else found

    @property
    def expected(self):
        """What the domain says."""
        found = [*visits(self.stored.log.hits)]
        hits = [one for visit in found for one in visit.hits]
        sessions = [visit.session for visit in found]
        return [
            (len(sessions), sum(one.session_id for one in sessions), sum(one.pageviews for one in sessions)),
            (len(hits), sum(one.position for one in hits), len({one.hit.pathname for one in hits})),
        ]


@pytest.fixture
async def site(stored, tmp_path):
    engine = Engine(tmp_path / "columns")
    site = Site(stored, FilesLayout(engine.directory), EngineTurns(engine))
    await site.append(random.Random(1), 120)
    await stored.make_columns(site.layout.root)
    await site.append(random.Random(2), 20)
    yield site
    await engine.close()


def flip(chance, site):
    """Flip some bits of any file."""
    paths = [path for path in site.layout.cell.rglob("*") if path.is_file()]
    for path in chance.sample(paths, min(len(paths), 2)):
        found = bytearray(path.read_bytes())
        for _ in range(chance.choice([1, 30])):
            found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
        path.write_bytes(found)


def cut(chance, site):
    """Let the end of a file be lost."""
    paths = [path for path in site.layout.cell.rglob("*") if path.is_file()]
    if paths:
        path = chance.choice(paths)
        path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def exchange(chance, site):
    """Let a file have the place of another."""
    paths = sorted(site.layout.cell.rglob("*.parquet"))
    if paths:
        one, other = chance.choice(paths), chance.choice(paths)
        one.write_bytes(other.read_bytes())


def lose(chance, site):
    """Let a directory vanish, and sometimes all of them."""
    directories = [*site.layout.directories(), site.layout.root]
    shutil.rmtree(chance.choice(directories))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 4))]
)
@pytest.mark.parametrize("harm", [flip, cut, exchange, lose])
async def test_harm_between_answers_and_within_them_changes_no_number(site, harm, seed):
    chance = random.Random(seed)
    assert await site.answer() == site.expected

    for within in (False, True, False):
        if not within:
            harm(chance, site)
        try:
            found = await site.answer(meanwhile=(lambda: harm(chance, site)) if within else None)
        except ColumnsFailed:
            found = None
        assert found in (None, site.expected)
        await site.append(chance, 3)

    site.layout.prepare()
    assert await site.answer() == site.expected


@pytest.mark.parametrize("damaged", ["sessions.csv", "hits.csv"])
async def test_rows_that_are_lost_on_their_way_are_in_no_answer(site, damaged):
    def lose_half(directory):
        lines = (directory / damaged).read_bytes().splitlines(keepends=True)
        (directory / damaged).write_bytes(b"".join(lines[: len(lines) // 2]))

    with pytest.raises(ColumnsFailed):
        await site.answer(before=lose_half)

    assert await site.answer() == site.expected


async def test_a_reading_process_that_is_killed_in_a_refresh_leaves_no_wrong_rows(stored, tmp_path):
    reader = ReaderNode(tmp_path / "data")
    async with supervised(reader):
        site = Site(stored, FilesLayout(reader.data_dir / "columns"), reader.turns)
        await site.append(random.Random(1), 120)
        await stored.make_columns(site.layout.root)
        for number in range(3):
            await site.append(random.Random(number), 10)
            with pytest.raises(StoreUnavailable):
                await site.answer(before=lambda _: reader.process.kill())
            await reader.ready()
            assert await site.answer() == site.expected
            await site.append(random.Random(-number), 10)
            with pytest.raises(StoreUnavailable):
                await site.answer(meanwhile=reader.process.kill)
            await reader.ready()
            assert await site.answer() == site.expected
