"""Nothing goes dark: a site whose rows do not fit into the memory is answered all through a rebuild and after it."""

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.files.next_files import NextFiles
from footfall.adapters.columns.files.sweeper import READ_SECONDS
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.adapters.system import SystemClock
from footfall.application.ports.reports.days_in_making import DaysInMaking
from footfall.domain.traffic.report_query import ReportQuery
from footfall.entrypoints.composition.columns import make_in_a_process, open_columns
from footfall.entrypoints.composition.commands.rebuild_files import ROUNDS, Waits, rebuild
from footfall.entrypoints.composition.reports import reports_over
from footfall.entrypoints.settings import read_settings
from tests.histories import SITE, after, days, hit, record
from tests.integration.columns.conftest import Node
from tests.integration.columns.rebuilding import STEPS, make_in_this_process
from tests.stores.reading import EngineTurns

PROGRAM = Path(__file__).with_name("rebuilding.py")
PERIOD = days("2026-03-25", "2026-04-03")
DAYS = 3
# As many as a day needs to have files.
LOG = record(
    *(
        hit(after(days=day, minutes=number % 50), visitor_id=1 + number % 97, pathname=f"/{number % 7}")
        for day in range(DAYS)
        for number in range(600)
    )
)
# Less than a day of the site takes, and more than some sessions.
FEW_BYTES = 40_000


class Site:
    """A node whose files hold all days of a site, and the reports that read them."""

    def __init__(self, stored, data_dir):
        self.settings = read_settings(
            {
                "FOOTFALL_DATABASE_URL": stored.url,
                "FOOTFALL_DATA_DIR": str(data_dir),
            }
        )
        self.node = Node(stored, data_dir / "columns")
        self.stored = stored
        self.engine = Engine(self.node.layout.root)
        self.turns = EngineTurns(self.engine)
        columns = Columns(
            self.turns,
            Catalogue(self.node.layout),
            PostgresFreshRowStore(stored.connections),
            MemoryMetrics(),
        )
        self.traffic = reports_over(stored.connections, columns).traffic

    async def expect_answers(self):
        """Expect what the domain says."""
        expected = await self.stored.oracle.overview(SITE, ReportQuery(PERIOD))
        assert await self.traffic.overview(SITE, ReportQuery(PERIOD)) == expected

    @asynccontextmanager
    async def asked_meanwhile(self):
        """Ask all the time; each answer is one of those before and after what is stored meanwhile."""
        expected = [await self.stored.oracle.overview(SITE, ReportQuery(PERIOD))]
        answers = []

        async def ask():
            while True:
                answers.append(await self.traffic.overview(SITE, ReportQuery(PERIOD)))
                # About as long as an answer takes: the rebuild needs a processor, too.
                await asyncio.sleep(0.03)

        asking = asyncio.ensure_future(ask())
        yield
        assert not asking.done() or asking.result()
        asking.cancel()
        await asyncio.wait([asking])
        expected.append(await self.stored.oracle.overview(SITE, ReportQuery(PERIOD)))
        assert len(answers) > 1
        assert all(one in expected for one in answers)

    async def rebuild(self, **options):
        """Rebuild in this process."""
        options = {"make": make_in_this_process, **options}
        await rebuild(self.settings, self.stored.url, lambda _position, _target: None, **options)

    async def rebuild_until(self, step):
        """Rebuild in another process that is killed at a step."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, PROGRAM, self.stored.url, self.settings.data_dir, str(step)
        )
        return await process.wait()

    async def set_id(self):
        """Return the set of read models in use."""
        [row] = await self.node.execute("select set_id from projection_checkpoint")
        return row["set_id"]


@pytest.fixture
async def site(stored, tmp_path):
    site = Site(stored, tmp_path)
    await site.node.store(LOG)
    await site.node.make(together=DAYS)
    site.node.layout.node_id()
    share = FEW_BYTES / site.engine.memory_bytes_limit
    site.turns.sets = FreshSets(site.engine, share=share)
    yield site
    await site.engine.close()


async def test_without_files_the_site_would_be_refused(site):
    await site.node.execute("update column_day set version = gen_random_uuid()")

    with pytest.raises(DaysInMaking):
        await site.expect_answers()


async def test_an_import_of_other_days_refuses_no_report(site):
    await site.expect_answers()
    imported = (hit(after(days=-200, minutes=number % 50), visitor_id=number) for number in range(600))
    await site.node.store(record(*imported, first=await site.stored.position() + 1))

    await site.expect_answers()


async def test_a_site_is_answered_all_through_a_rebuild_and_after_it(site):
    before = await site.set_id()

    async with site.asked_meanwhile():
        await site.rebuild()

    await site.expect_answers()
    assert await site.set_id() != before


async def test_the_files_are_made_in_a_process_of_their_own(site):
    async def make(settings, columns):
        # The questions below keep a processor busy, as do the tests beside this one: it would wait for minutes.
        await make_in_a_process(settings, columns.url, gives_way=False)

    async with site.asked_meanwhile():
        await site.rebuild(make=make)

    await site.expect_answers()


async def test_hits_that_come_meanwhile_are_in_the_answers(site):
    async def make_more(_settings, columns):
        await columns.make()
        late = record(hit(after(days=1, minutes=3), visitor_id=3), first=await site.stored.position() + 1)
        await site.node.store(late)

    await site.rebuild(make=make_more)

    await site.expect_answers()


async def test_files_of_the_former_set_go_after_the_exchange(site):
    former = set(site.node.files)
    await site.rebuild()

    await site.node.sweeper.sweep()

    assert former.isdisjoint(site.node.files)
    await site.expect_answers()


async def test_a_sweep_during_a_rebuild_leaves_the_files_of_both_sets(site):
    site.node.ahead = READ_SECONDS
    former = set(site.node.files)

    async def make_more(_settings, columns):
        await columns.make()
        await site.node.sweeper.sweep()
        await site.node.sweeper.sweep_replaced([SITE])
        assert former < set(site.node.files)

    async with site.asked_meanwhile():
        await site.rebuild(make=make_more)

    await site.expect_answers()


# Before each step, and after those that the next one does not follow.
KILLS = [*range(len(STEPS)), *(len(STEPS) + step for step in (5, 6, 8, 9))]


# Before a file is made and before the exchange of tables for each run of the tests; days that are closed without files,
# files that are not in place and an exchange that is done for the slow ones.
MARKS = {**dict.fromkeys((6, 9), ()), **dict.fromkeys((4, 7, len(STEPS) + 8), pytest.mark.slow)}


@pytest.mark.parametrize(
    "step", [pytest.param(step, marks=MARKS.get(step, pytest.mark.thorough)) for step in KILLS]
)
async def test_a_site_is_answered_when_a_rebuild_is_killed(site, step):
    async with site.asked_meanwhile():
        assert await site.rebuild_until(step) == -signal.SIGKILL
    await site.expect_answers()
    await site.node.sweeper.sweep()
    await site.expect_answers()

    async with site.asked_meanwhile():
        await site.rebuild()

    await site.node.sweeper.sweep()
    await site.expect_answers()
    [days] = await site.node.execute("select count(*) as days from column_day where state = 'closed'")
    assert days["days"] == DAYS
    assert {day.day.date() for one in await site.node.listed() for day in one.days} == {
        after(days=day).date() for day in range(DAYS)
    }


async def test_the_exchange_waits_for_the_files_of_another_node(site, tmp_path):
    other = read_settings(
        {
            "FOOTFALL_DATABASE_URL": site.stored.url,
            "FOOTFALL_DATA_DIR": str(tmp_path / "other"),
        }
    )
    async with open_columns(other, site.stored.url) as columns:
        columns.layout.prepare()
        node = columns.layout.node_id()
        await columns.nodes.register(node)
        before = await site.set_id()

        rebuilding = asyncio.ensure_future(site.rebuild(waits=Waits(follow=0.01)))
        for _ in range(ROUNDS):
            while await columns.nodes.asked(node) is None:
                await asyncio.sleep(0.01)
            assert await site.set_id() == before
            await columns.make()
        await rebuilding

        assert await site.set_id() != before
        made = await Catalogue(columns.layout).files(SITE, PERIOD.start, PERIOD.end)
        closed = await site.stored.column_store().closed_days()
        assert {day for one in made for day in one.days} >= set(closed)


async def test_the_exchange_does_not_wait_for_ever(site, caplog):
    await site.node.nodes.register("6f1c9f7e-0000-4000-8000-000000000000")
    before = await site.set_id()

    await site.rebuild(waits=Waits(follow=0.01, nodes=0.0))

    assert await site.set_id() != before
    assert "no longer waits for the files of some nodes" in caplog.text


async def test_a_node_that_is_down_is_not_waited_for(site):
    await site.node.nodes.register("6f1c9f7e-0000-4000-8000-000000000000")
    await site.node.execute("update column_node set seen_at = now() - interval '11 minutes'")

    async with asyncio.timeout(60):
        await site.rebuild()

    await site.expect_answers()


async def test_a_disk_without_room_is_no_obstacle(site, caplog):
    async def make(_settings, columns):
        await NextFiles(columns.layout, columns.store, SystemClock(), room_bytes=1 << 62).make()

    former = set(site.node.files)
    before = await site.set_id()

    await site.rebuild(make=make)

    assert await site.set_id() != before
    assert set(site.node.files) == former
    assert "the disk lacks the room" in caplog.text


async def test_a_machine_that_keeps_no_files_makes_none(site):
    site.node.layout.node.unlink()
    former = set(site.node.files)

    await site.rebuild()

    assert set(site.node.files) == former
    assert not site.node.layout.node.exists()


async def test_what_an_erasure_took_does_not_come_back_with_the_next_set(site):
    async def make_more(_settings, columns):
        await columns.make()
        await site.node.nodes.register(columns.layout.node_id())
        # What the first round of an erasure leaves.
        await site.node.execute(
            "insert into erasure values (%s, now() - interval '1 day', 1, now()) on conflict do nothing", SITE
        )
        await site.node.execute("update column_day set state = 'open', version = null")
        await site.node.sweeper.sweep()
        assert site.node.files == []
        await columns.next_files.make()

    await site.rebuild(make=make_more)

    assert site.node.files == []


async def test_a_node_looks_at_all_sites_after_an_exchange(site):
    store = site.stored.column_store()
    found = await store.closed_sites(None)
    await site.rebuild()

    assert (await store.closed_sites(found.at)).set_id not in (None, found.set_id)
    assert timedelta(0) < (await store.closed_sites(None)).at - found.at
