"""Sweeping: what no version names goes, what one names stays, and the erasure of a site waits for it."""

import os
import time
from datetime import timedelta
from uuid import uuid4

import pytest

from footfall.adapters.columns.files.sweeper import READ_SECONDS, Sweeper
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.reader.client import ReaderAway
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.system import SystemClock
from footfall.application.maintenance.site_erasure import ROUNDS, Eraser
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.entrypoints.composition.projectors import rebuilding
from tests.histories import OTHER_SITE, SITE, START, after, hit, record
from tests.stores.stored import catch_up

DAY = timedelta(days=1)


async def test_files_of_current_versions_stay(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()

    assert await node.sweeper.sweep() == 0
    assert await node.listed() == made


async def test_files_of_a_revoked_version_go(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    await node.execute("update column_day set state = 'open', version = null where day < %s", START)

    assert await node.sweeper.sweep() == 1
    assert await node.listed() == made[1:]


async def test_files_that_others_have_replaced_go_when_reports_have_read_them(node):
    await node.store(record(hit()))
    await node.make()
    [later] = await node.make()

    assert await node.sweeper.sweep() == 0
    node.ahead = READ_SECONDS
    assert await node.sweeper.sweep() == 1
    assert await node.listed() == [later]


async def test_replaced_files_go_although_their_version_is_unknown_and_others_stay(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    await node.execute("update column_day set state = 'open', version = null where day < %s", START)
    later = await node.make()
    assert await node.sweeper.sweep_replaced([SITE]) == 0
    assert {one.hits for one in [*made, *later]} < set(node.files)

    node.ahead = READ_SECONDS

    assert await node.sweeper.sweep_replaced([SITE + 1, SITE]) == 2
    assert await node.listed() == later
    assert await node.sweeper.sweep_replaced([SITE]) == 0


async def test_what_is_set_aside_lies_there_for_a_week_whatever_its_age(node):
    await node.store(record(hit()))
    [made] = await node.make()
    os.utime(made.hits.parent, times=(time.time() - 30 * 86_400,) * 2)
    made.hits.write_bytes(b"damaged")

    await node.sweeper.verify()
    await node.sweeper.sweep()

    [aside] = node.layout.aside.iterdir()
    os.utime(aside, times=(time.time() - 8 * 86_400,) * 2)
    await node.sweeper.sweep()
    assert node.aside == []


async def test_what_a_killed_process_left_behind_goes(node):
    (node.layout.new_making() / "hits.csv").write_text("left")
    node.layout.spill.mkdir()
    for name, age in (("old.tmp", 7_200), ("new.tmp", 0)):
        (node.layout.spill / name).touch()
        os.utime(node.layout.spill / name, times=(time.time() - age,) * 2)

    for name, age in (("old", 120), ("new", 0)):
        (node.layout.fresh / name).mkdir(parents=True)
        (node.layout.fresh / name / "hits.csv").touch()
        os.utime(node.layout.fresh / name, times=(time.time() - age,) * 2)

    await node.sweeper.sweep()

    assert [path.name for path in node.layout.fresh.iterdir()] == ["new"]
    assert list(node.layout.making.iterdir()) == []
    assert [path.name for path in node.layout.spill.iterdir()] == ["new.tmp"]


async def test_what_is_foreign_is_set_aside(node):
    await node.store(record(hit()))
    [made] = await node.make()
    foreign = node.layout.cell / "7" / "2026-03-28"
    foreign.mkdir(parents=True)
    made.hits.parent.rename(foreign / "moved")
    (foreign / "a note").write_text("to myself")

    await node.sweeper.sweep()

    assert node.files == []
    assert sorted(name[:-9] for name in node.aside) == ["7_2026-03-28_moved"]


async def test_what_was_set_aside_goes_with_its_days(node):
    await node.store(record(hit()))
    [made] = await node.make()
    made.hits.write_bytes(b"damaged")
    await node.sweeper.verify()
    await node.sweeper.sweep()
    assert len(node.aside) == 1

    await node.execute("update column_day set state = 'open', version = null")
    await node.sweeper.sweep()

    assert node.aside == []


async def test_verification_finds_what_is_damaged(node):
    await node.store(record(hit(), hit(after(days=1))))
    made = await node.make()
    made[0].sessions.write_bytes(b"PAR1")

    assert await node.sweeper.verify() == 1
    assert await node.sweeper.verify() == 0
    assert await node.listed() == made[1:]


async def test_retention_revokes_the_days_before_its_cutoff(node):
    await node.store(record(*(hit(START + number * DAY) for number in range(4))))
    made = await node.make()
    cutoff = RetentionCutoff(SITE, START.replace(hour=0) + 2 * DAY)

    async with PostgresRetentionStore(node.stored.connections, node.stored.url).lock() as locked:
        await locked.erase_some(cutoff, 1)
        await node.sweeper.sweep()
        assert await node.listed() == made[2:]
        while await locked.erase_some(cutoff, 1) is not None:
            pass

    await node.stored.close_days()
    assert [one.day for one in await node.stored.column_store().closed_days()] == [
        one.days[0].day for one in made[2:]
    ]


async def test_a_month_that_is_dropped_takes_its_versions_along(node):
    await node.store(record(hit(), hit(after(days=40))))
    made = await node.make()

    async with PostgresRetentionStore(node.stored.connections, node.stored.url).lock() as locked:
        assert await locked.drop_months([RetentionCutoff(SITE, START + 10 * DAY)]) == 1
    await node.sweeper.sweep()

    assert await node.listed() == made[1:]


async def test_the_erasure_of_a_site_ends_when_all_nodes_have_swept(node):
    await node.store(record(hit()))
    await node.make()
    other = uuid4()
    for one in (node.layout.node_id(), other):
        await node.nodes.register(one)
    await node.execute("insert into erasure values (%s, now() - interval '3 days', 0, now())", SITE)
    erase = Eraser(PostgresErasures(node.stored.connections, node.stored.url), SystemClock(), rest=0.0).work

    await erase()
    assert await node.execute("select 1 from column_day") == []
    assert node.forgotten == []
    await node.sweeper.sweep()
    assert node.files == []
    assert node.forgotten == [SITE]
    for _ in ROUNDS:
        await node.execute("update erasure set due_at = now()")
        await erase()
    assert await due(node)

    await node.nodes.acknowledge(other, await node.nodes.due_sweeps(other))
    await node.execute("update erasure set due_at = now()")
    await erase()
    assert not await due(node)


async def test_each_site_is_acknowledged_by_itself(node):
    own, sites = node.layout.node_id(), [SITE, OTHER_SITE]
    await node.nodes.register(own)
    for site_id in sites:
        await node.execute("insert into erasure values (%s, now() - interval '3 days', 6, now())", site_id)

    async def forget_one(site_id):
        if node.forgotten:
            raise ReaderAway
        node.forgotten.append(site_id)

    with pytest.raises(ReaderAway):
        await Sweeper(node.layout, node.stored.column_store(), node.nodes, forget_one).sweep()

    assert [*node.forgotten, *await node.nodes.due_sweeps(own)] in (sites, sites[::-1])


async def test_a_node_does_not_acknowledge_before_the_versions_are_revoked(node):
    await node.store(record(hit()))
    await node.make()
    await node.nodes.register(node.layout.node_id())
    await node.execute("insert into erasure values (%s, now(), 0, now())", SITE)

    await node.sweeper.sweep()

    assert await node.execute("select 1 from column_sweep") == []
    assert len(node.files) == 3


async def test_an_erasure_does_not_wait_for_a_node_that_was_forgotten(node):
    gone = uuid4()
    await node.nodes.register(gone)
    await node.execute("insert into erasure values (%s, now() - interval '3 days', 6, now())", SITE)

    assert await node.nodes.leave(gone)
    assert not await node.nodes.leave(gone)
    await Eraser(PostgresErasures(node.stored.connections, node.stored.url), SystemClock(), rest=0.0).work()

    assert not await due(node)


async def test_a_rebuild_of_the_projections_revokes_all_versions(node):
    await node.store(record(hit()))
    await node.make()

    async with rebuilding(node.stored.url) as rebuilt:
        await rebuilt.replay(lambda _position, _target: None)
        await rebuilt.exchange()
    await node.sweeper.sweep()

    assert node.files == []
    await catch_up(node.stored.projector)
    assert len(await node.make()) == 1


def test_a_node_keeps_its_id_and_another_has_another(tmp_path):
    layouts = [FilesLayout(tmp_path / name) for name in ("one", "other")]
    for layout in layouts:
        layout.prepare()

    assert layouts[0].node_id() == layouts[0].node_id() != layouts[1].node_id()


async def due(node):
    return bool(await node.execute("select 1 from erasure where due_at is not null"))
