"""Small days in one directory: it holds exactly what the directories of the days hold."""

import duckdb
import pytest

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import HITS
from footfall.adapters.columns.files.missing_files import MissingFiles
from footfall.adapters.columns.files.plan import chosen_directories, usable_directories
from footfall.adapters.columns.files.sweeper import READ_SECONDS
from footfall.adapters.system import SystemClock
from tests.histories import after, event, hit, record

LOG = record(
    *(hit(after(days=day, minutes=minute), pathname=f"/{minute}") for day in range(3) for minute in (0, 20)),
    event("signup", after(days=2, minutes=21)),
)


async def test_the_days_of_a_month_are_gathered_with_their_versions(node):
    await node.store(LOG)
    store = await made(node)
    days = await store.closed_days()

    [files] = await node.listed()

    assert files.days == tuple(days)
    singles = [path.parent for path in node.files if path.name == HITS and path != files.hits]
    assert len(singles) == len(days) == 3
    for name in ("sessions", "hits"):
        parts = [str(one / f"{name}.parquet") for one in singles]
        assert rows([str(getattr(files, name))]) == rows(parts)


async def test_gathered_files_take_the_place_of_those_of_their_days(node):
    node.ahead = READ_SECONDS
    await node.store(LOG)
    store = await made(node)

    removed = await node.sweeper.sweep()

    assert removed == 3
    [directory] = chosen_directories(usable_directories(node.layout), await store.closed_days())
    assert {path.parent for path in node.files} == {directory}
    assert await made(node) is not None
    assert {path.parent for path in node.files} == {directory}


async def test_a_damaged_directory_is_set_aside_and_not_gathered(node):
    await node.store(LOG)
    store = node.stored.column_store()
    maker = Maker(node.layout, store, SystemClock())
    await store.close_due()
    for day in await store.closed_days():
        await maker.make([day])
    parts = chosen_directories(usable_directories(node.layout), await store.closed_days())
    damaged = next(iter(parts)) / HITS
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")

    assert maker.gather(parts) is None

    assert len(node.aside) == 1
    assert len(chosen_directories(usable_directories(node.layout), await store.closed_days())) == 2
    assert list(node.layout.making.iterdir()) == []


async def test_the_days_of_a_month_are_made_at_once_where_all_are_missing(node):
    await node.store(LOG)
    store = node.stored.column_store()
    await store.close_due()

    assert await make_missing(node) == 1

    [files] = await node.listed()
    assert files.days == tuple(await store.closed_days())
    assert len(rows([str(files.hits)])) == len(LOG)


async def test_the_store_says_how_many_hits_happened_on_each_day(node):
    await node.store(LOG)
    store = node.stored.column_store()
    await store.close_due()
    days = await store.closed_days()

    assert await store.hits_of(days[::-1]) == {days[2]: 3, days[1]: 2, days[0]: 2}
    assert await store.hits_of([]) == {}


@pytest.mark.parametrize("kind", ["sessions", "hits"])
async def test_rows_have_the_order_of_files_that_are_made_at_once(node, kind):
    await node.store(LOG)
    store = await made(node)
    [gathered] = await node.listed()
    maker = Maker(node.layout, store, SystemClock())

    at_once = await maker.make(await store.closed_days())

    assert rows([str(getattr(gathered, kind))], ordered=True) == rows(
        [str(at_once / f"{kind}.parquet")], ordered=True
    )


async def made(node):
    """Make the files of each day alone, as days come, gather them, and return the store."""
    store, maker = node.stored.column_store(), Maker(node.layout, node.stored.column_store(), SystemClock())
    await store.close_due()
    for day in await store.closed_days() if not node.files else []:
        await maker.make([day])
    await make_missing(node)
    return store


async def make_missing(node):
    store, clock = node.stored.column_store(), SystemClock()
    return await MissingFiles(node.layout, store, Maker(node.layout, store, clock), clock, rest=0.0).make()


def rows(paths, *, ordered=False):
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")
        found = connection.execute(
            "select one::varchar from read_parquet($paths) as one", {"paths": paths}
        ).fetchall()
    return found if ordered else sorted(found)
