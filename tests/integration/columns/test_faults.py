"""Processes that are killed while files are made, swapped, swept and erased: what is listed is what the store has."""

import asyncio
import random
import signal
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.missing_files import MissingFiles
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.system import SystemClock
from footfall.application.maintenance.site_erasure import ROUNDS, Eraser
from footfall.application.ports.columns import current_files
from footfall.domain.traffic.session import sessionize
from tests.generated import at_length
from tests.histories import SITE, START, hit, record

KEEPING = Path(__file__).with_name("keeping.py")
DAY = timedelta(days=1)
DAYS = 6
VISITORS = 40
MANY = at_length(slow=4, thorough=50)


@pytest.mark.parametrize(
    "kills", [pytest.param(2, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
)
async def test_killed_processes_leave_only_files_that_are_true(node, kills):
    chance = random.Random(kills)
    await node.store(record(*hits(chance, 300)))
    for _ in range(kills):
        async with keeping(node):
            for _ in range(chance.randint(1, 4)):
                await node.store(record(*hits(chance, 12), first=node.stored.log.hits[-1].position + 1))
                assert await answer(node) == oracle(node)
                await asyncio.sleep(chance.random() / 5)
        assert await answer(node) == oracle(node)

    await complete(node)
    assert await answer(node) == oracle(node)
    closed = await node.stored.column_store().closed_days()
    # Small days are gathered, so one directory may hold several.
    assert {day for one in await node.listed() for day in one.days} == set(closed) != set()


@pytest.mark.parametrize(
    "kills", [pytest.param(1, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
)
async def test_nothing_of_an_erased_site_comes_back(node, kills):
    chance = random.Random(kills)
    await node.store(record(*hits(chance, 200)))
    await complete(node)
    await node.nodes.register(node.layout.node_id())
    await node.execute("insert into erasure values (%s, now() - interval '3 days', 0, now())", SITE)
    erase = Eraser(PostgresErasures(node.stored.connections, node.stored.url), SystemClock(), rest=0.0).work

    for number in range(kills):
        async with keeping(node):
            await asyncio.sleep(chance.random() / 3)
            if number == 0:
                await erase()
    await node.sweeper.sweep()
    for _ in ROUNDS:
        await node.execute("update erasure set due_at = now() where due_at is not null")
        await erase()

    assert await node.execute("select 1 from erasure where due_at is not null") == []
    assert (node.files, node.aside, list(node.layout.making.iterdir())) == ([], [], [])
    async with keeping(node):
        await asyncio.sleep(0.5)
    assert node.files == []


def hits(chance, number):
    """Return hits of any visitor at any time of some days, late ones among them."""
    return [
        hit(START + chance.random() * DAYS * DAY, visitor_id=chance.randint(1, VISITORS))
        for _ in range(number)
    ]


@asynccontextmanager
async def keeping(node):
    """Run a process that keeps the files, and kill it after the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, KEEPING, node.stored.url, node.layout.root, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert await process.stdout.readline() == b"begun\n"
        yield
    finally:
        process.kill()
        assert await process.wait() == -signal.SIGKILL


async def complete(node):
    """Close all days and make all files."""
    store = node.stored.column_store()
    await store.close_due()
    clock = SystemClock()
    await MissingFiles(node.layout, store, Maker(node.layout, store, clock), clock, rest=0.0).make()
    await node.sweeper.sweep()


async def answer(node):
    """Return the sessions and their numbers of hits: from files where they cover a day, from rows elsewhere."""
    listed = await Catalogue(node.layout).files(SITE, START - 2 * DAY, START + (DAYS + 2) * DAY)
    try:
        return await merged(node, listed)
    except duckdb.IOException:
        # The files were removed between their listing and their reading: their days are fresh rows then.
        return await merged(node, [])


async def merged(node, listed):
    async with node.stored.connections.connection() as connection, connection.transaction():
        await connection.execute("set transaction isolation level repeatable read")
        cursor = await connection.execute(
            "select day, version from column_day where state = 'closed' and store = column_store()"
        )
        current = {row["day"]: row["version"] for row in await cursor.fetchall()}
        files = [
            one
            for one in current_files(listed, current)
            if all(current.get(day.day) == day.version for day in one.days)
        ]
        covered = [day.day for one in files for day in one.days]
        cursor = await connection.execute(
            "select session_id from column_change where day = any(%s)", (covered,)
        )
        changed = [row["session_id"] for row in await cursor.fetchall()]
        cursor = await connection.execute(
            "select session_id, pageviews from session"
            " where not day_of(started_at) = any(%s) or session_id = any(%s)",
            (covered, changed),
        )
        found = [(row["session_id"], row["pageviews"]) for row in await cursor.fetchall()]
    return sorted(found + [row for one in files for row in in_files(one, changed)])


def in_files(files, changed):
    query = "select session_id, count(*) from read_parquet($hits) group by session_id"
    with duckdb.connect() as connection:
        found = connection.execute(query, {"hits": str(files.hits)}).fetchall()
    return [row for row in found if row[0] not in changed]


def oracle(node):
    """Return the sessions of the domain and their numbers of hits."""
    return sorted((one.session_id, one.pageviews) for one in sessionize(node.stored.log.hits))
