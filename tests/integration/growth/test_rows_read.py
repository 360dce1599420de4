"""What runs every second or every few seconds reads what has changed, however many sites, goals and days there are."""

from contextlib import asynccontextmanager

import psycopg
import pytest

from footfall.adapters.postgres.cells.journal_copy import PostgresJournalCopy
from footfall.adapters.postgres.cells.places import PostgresCellTraffic, claim, url_of_cell
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.maintenance.old_records import PostgresExpiry
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.postgres.projections.freshness import PostgresFreshness
from footfall.adapters.system import SystemClock
from footfall.application.maintenance.site_erasure import Eraser
from footfall.entrypoints.composition.projectors import build_projector
from tests.stores.grown import grow, rows_read
from tests.waiting import until

SITES = 3_000
# Rows of catalogues of the store itself, such as its checkpoint; none for a site, a goal or a day.
FEW = 40

_APPEND = """
insert into event (stream, version, type, schema_version, data, recorded_at)
values ('site-8', 3, 'site-renamed', 0, '{"name": "new"}', now())
"""


@pytest.fixture
def grown(database_url):
    grow(database_url, SITES)
    return database_url


async def ask(name, pool, url):
    """Do once what a worker does all the time."""
    clock = SystemClock()
    if name == "projector":
        projector = build_projector(url)
        await projector.catch_up()
        await projector.close()
    elif name == "eraser":
        await Eraser(PostgresErasures(pool, url), clock).work()
    elif name == "closing of days":
        await PostgresColumnStore(pool, url).close_due()
    elif name == "sweeps":
        await PostgresColumnNodes(pool).due_sweeps("6f1c9f7e-0000-4000-8000-000000000000")
    elif name == "expiry":
        await PostgresExpiry(pool).forget_old(clock.now())
    elif name == "lag":
        await PostgresFreshness(pool, clock, lambda: None).lag()
    elif name == "traffic of cells":
        await PostgresCellTraffic({"main": pool}, clock).recent()


@pytest.mark.parametrize(
    "name",
    [
        "projector",
        "eraser",
        "closing of days",
        "sweeps",
        "expiry",
        "lag",
        "traffic of cells",
    ],
)
async def test_a_look_reads_few_rows_of_a_large_store(grown, name):
    before = await settled(grown)
    async with pool_of(grown) as pool:
        await ask(name, pool, grown)

    assert await settled(grown) - before <= FEW


async def test_a_new_event_costs_a_cell_the_rows_of_that_event(grown):
    url = url_of_cell("cell0", grown)
    claim(url, "cell0", "mark", 1)
    async with pool_of(grown) as journal, pool_of(url) as store:
        with psycopg.connect(grown) as connection:
            [(newest,)] = connection.execute("select max(position) from event").fetchall()
        await PostgresJournalCopy("cell0", "mark", journal, store).bring(newest)
    with psycopg.connect(grown) as connection:
        connection.execute(_APPEND)
    before = await settled(grown), await settled(url)

    async with pool_of(grown) as journal, pool_of(url) as store:
        await PostgresJournalCopy("cell0", "mark", journal, store).bring(newest + 1)

    after = await settled(grown), await settled(url)
    assert [now - then <= FEW for now, then in zip(after, before, strict=True)] == [True, True]
    with psycopg.connect(url) as connection:
        assert connection.execute("select max(position) from event").fetchone() == (newest + 1,)


@asynccontextmanager
async def pool_of(url):
    pool = Connections(url, most=2)
    await pool.open()
    yield pool
    await pool.close()


async def settled(url):
    """Return the rows read when all connections have told what they did."""
    with psycopg.connect(url, autocommit=True) as connection:
        others = (
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and pid <> pg_backend_pid() and backend_type = 'client backend'"
        )
        await until(lambda: connection.execute(others).fetchone() == (0,))
    return rows_read(url)
