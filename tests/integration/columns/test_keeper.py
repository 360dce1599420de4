"""The job of a node: files are made of what is closed, and a node without columns keeps none."""

import asyncio
import json
import shutil
import time
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.columns.files.keeper import CHECK_SECONDS, SWEEP_SECONDS, Keeper
from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import NAME
from footfall.adapters.columns.files.missing_files import FULL, MissingFiles
from footfall.adapters.columns.files.plan import usable_manifests
from footfall.adapters.columns.files.sweeper import READ_SECONDS
from footfall.adapters.columns.reader.client import ReaderAway
from footfall.adapters.system import SystemClock
from tests.histories import OTHER_SITE, SITE, after, hit, record
from tests.waiting import LONG


async def test_a_node_closes_days_and_makes_their_files(node):
    await node.store(record(hit(), hit(after(days=-200))))
    shown = []

    await keeper(node, shown).work()

    assert len(await node.listed()) == 2
    assert (shown[-1].directories, shown[-1].days, shown[-1].missing_days, shown[-1].trouble) == (
        2,
        2,
        0,
        None,
    )
    assert shown[-1].bytes == sum(path.stat().st_size for path in node.files if path.suffix == ".parquet")
    assert await node.execute("select node from column_node") == [{"node": node.layout.node_id()}]


async def test_files_that_cannot_be_made_are_said_to_be_missing(node):
    await node.store(record(hit()))
    shown = []
    node.layout.trouble.write_text(FULL)

    async def fail(_sites):
        return None

    await keeper(node, shown, fail).work()

    assert (shown[-1].missing_days, shown[-1].trouble) == (1, FULL)


async def test_files_are_made_although_rows_cannot_be_forgotten_yet(node):
    await node.store(record(hit()))
    await node.nodes.register(node.layout.node_id())
    await node.execute("insert into erasure values (%s, now() - interval '3 days', 6, now())", OTHER_SITE)

    async def fail(_site_id):
        raise ReaderAway

    node.sweeper = evolve(node.sweeper, forget=fail)
    with pytest.raises(ReaderAway):
        await keeper(node, []).work()

    assert len(await node.listed()) == 1
    assert await node.nodes.due_sweeps(node.layout.node_id()) == [OTHER_SITE]


async def test_files_of_an_older_format_are_set_aside_and_made_anew(node, caplog):
    await node.store(record(hit(), hit(after(days=-200))))
    shown = []
    await keeper(node, shown).work()
    for path in node.layout.cell.rglob(NAME):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 1}))
    older = {path.parent for path in node.files}

    await keeper(node, shown).work()

    assert (shown[-1].directories, shown[-1].days, shown[-1].missing_days) == (2, 2, 0)
    assert len(await node.listed()) == len(node.aside) == 2
    assert older.isdisjoint(path.parent for path in node.files)
    assert caplog.text.count("files of columns are set aside: its files have another format") == 2


async def test_days_that_were_gathered_before_a_crash_are_soon_on_the_disk_once(node):
    await node.store(record(*(hit(after(days=day)) for day in range(3))))
    first, second, _ = await node.stored.close_days()
    await node.make([first, second])
    await keeper(node, []).work()
    assert len(list(node.layout.directories())) == 4

    again = keeper(node, [])
    await again.work()
    [read_by_reports] = await node.listed()
    assert len(list(node.layout.directories())) == 4
    node.ahead = READ_SECONDS
    await again.work()

    assert list(node.layout.directories()) == [read_by_reports.hits.parent]
    assert await node.listed() == [read_by_reports]


async def test_files_whose_directory_is_lost_are_made_anew_at_once(node):
    await node.store(record(hit()))
    shown = []
    its = keeper(node, shown)
    await its.work()
    before = node.layout.node_id()
    shutil.rmtree(node.layout.root)

    await its.work()

    assert len(await node.listed()) == 1
    assert (shown[-1].days, shown[-1].missing_days) == (1, 0)
    assert await node.execute("select 1 from column_node where node = %s", node.layout.node_id())
    assert node.layout.node_id() != before


async def test_only_sites_whose_days_were_closed_are_looked_at_again(node):
    await node.store(record(hit(), hit(site_id=OTHER_SITE)))
    shown = []
    its = keeper(node, shown, overlap=timedelta(0))
    await its.work()
    # What is gone is found missing when its site is looked at.
    for directory in node.layout.directories():
        node.layout.remove(directory)
    node.ahead += CHECK_SECONDS
    await its.work()
    quiet = shown[-1]
    await node.store(record(hit(), hit(), hit(after(days=-200)))[2:])
    node.ahead += CHECK_SECONDS
    await its.work()

    assert (quiet.days, quiet.missing_days) == (2, 0)
    assert (shown[-1].days, shown[-1].missing_days) == (3, 0)
    assert {made.days[0].site_id for made in await node.listed()} == {SITE}


async def test_files_are_made_of_sites_that_lack_some_and_once_an_hour_of_all(node):
    await node.store(record(hit(), hit(site_id=OTHER_SITE)))
    asked = []

    async def make(sites):
        asked.append(sites)

    its = keeper(node, [], make)
    await its.work()
    await node.make([one for one in await node.stored.close_days() if one.site_id == OTHER_SITE])
    node.ahead += CHECK_SECONDS
    await its.work()
    node.ahead += SWEEP_SECONDS
    await its.work()

    assert asked == [None, {SITE}, None]


async def test_only_the_files_of_sites_that_are_named_are_looked_at(node):
    await node.store(record(hit(), hit(site_id=OTHER_SITE)))
    days = await node.stored.close_days()
    store, clock = node.stored.column_store(), SystemClock()

    made = await MissingFiles(node.layout, store, Maker(node.layout, store, clock), clock, rest=0.0).make(
        [OTHER_SITE]
    )

    assert (len(days), made) == (2, 1)
    assert [one.site_id for one in usable_manifests(node.layout)] == [OTHER_SITE]


async def test_a_rest_has_an_end_however_long_a_directory_took(node):
    await node.store(record(hit(), hit(site_id=OTHER_SITE)))
    await node.stored.close_days()
    store, clock = node.stored.column_store(), SystemClock()
    maker = Maker(node.layout, store, clock)

    async with asyncio.timeout(LONG):
        made = await MissingFiles(node.layout, store, maker, clock, rest=1e9, most_rest_seconds=0.01).make()

    assert made == 2


async def test_files_that_are_set_aside_are_made_anew_at_the_next_look(node):
    await node.store(record(hit()))
    shown = []
    its = keeper(node, shown, overlap=timedelta(0))
    await its.work()
    node.ahead += CHECK_SECONDS
    await its.work()
    [directory] = node.layout.directories()
    node.layout.set_aside(directory, "damaged")

    node.ahead += CHECK_SECONDS
    await its.work()

    assert len(list(node.layout.directories())) == 1
    assert shown[-1].missing_days == 0


def keeper(node, shown, make=None, **options):
    store, clock = node.stored.column_store(), SystemClock()

    async def make_here(sites):
        maker = Maker(node.layout, store, clock)
        await MissingFiles(node.layout, store, maker, clock, rest=0.0).make(sites)

    return Keeper(
        node.layout,
        store,
        node.nodes,
        make or make_here,
        shown.append,
        node.sweeper,
        clock=lambda: time.monotonic() + node.ahead,
        **options,
    )
