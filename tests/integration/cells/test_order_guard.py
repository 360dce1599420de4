"""No reader passes a writer that has drawn positions and not committed, whatever kind of store it is."""

import asyncio

import psycopg
import pytest

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.adapters.postgres.intake.hit_rows import COLUMNS, copy_row
from footfall.adapters.postgres.intake.hit_writer import HitWriter
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from tests.background import in_background
from tests.histories import hit
from tests.stores.traffic_log import PostgresTrafficLog
from tests.submissions import one
from tests.waiting import until

HITS = [hit(visitor_id=number) for number in (1, 2, 3)]
UNGUARDED = f"copy hit ({', '.join(COLUMNS)}) from stdin (format csv, escape '\\', null 'null')"
# A reader gives up after half a second; here writers are slow on purpose, and the machine may be, too.
PATIENCE = "alter function hit_high_water_mark() set lock_timeout = '60s'"
DRAWN = "select last_value from hit_position"
WAITING = "select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and not granted"


ON_CITUS = pytest.param("citus", marks=[pytest.mark.citus, pytest.mark.slow])


@pytest.fixture(params=["main", "cell", ON_CITUS])
def url(request):
    """The URL of an empty store with the partition of its hits."""
    if request.param == "citus":
        store = request.getfixturevalue("citus_store")
        store.empty()
        # Functions and partitions are changed at the coordinator.
        prepare(store.at_coordinator)
        return store.url
    url = request.getfixturevalue("database_url")
    if request.param == "cell":
        url = url_of_cell("west", url)
        claim(url, "west", "mark of west", 1)
    prepare(url)
    return url


def prepare(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(PATIENCE)
        connection.execute("select hit_partition(%s)", (HITS[0].occurred_at,))


class SlowCopy(CopyIn):
    """The COPY of the service, which stops after its first row until it may go on."""

    def __init__(self, connection):
        super().__init__(connection)
        self.go_on = asyncio.Event()

    async def _put(self, rows):
        first = rows.index(b"\n") + 1
        self._pgconn.put_copy_data(rows[:first])
        await self._flush()
        await self.go_on.wait()
        await super()._put(rows[first:])


async def slow_rows(url, go_on):
    """Write as the service does, and stop in the middle of the rows."""
    async with await connect(url) as connection:
        with SlowCopy(connection) as copy_in:
            copy_in.go_on = go_on
            await HitWriter().copy(copy_in, HITS)


async def slow_commit(url, go_on):
    """Write as the service does, and stop before the commit."""
    async with await connect(url) as connection, connection.transaction():
        with CopyIn(connection) as copy_in:
            await HitWriter().copy(copy_in, HITS)
        await go_on.wait()


async def unguarded(url, go_on):
    """Write without the lock, and stop in the middle of the rows."""
    async with await connect(url.replace("user=footfall", "user=postgres")) as connection:
        # Triggers of the table do not run; only a superuser can have that.
        await connection.execute("set role none")
        await connection.execute("set session_replication_role = replica")
        # Citus stays at the node in a transaction that has read there; else it would write over another connection.
        async with connection.transaction():
            await connection.execute("select from cell_mark")
            await copy_slowly(connection, go_on)


async def copy_slowly(connection, go_on):
    async with connection.cursor().copy(UNGUARDED) as rows:
        await rows.write(copy_row(HITS[0]))
        # The driver keeps small rows until it has more of them.
        connection.pgconn.flush()
        await go_on.wait()
        await rows.write(copy_row(HITS[1]))


@pytest.mark.parametrize("write", [slow_rows, slow_commit])
async def test_the_high_water_mark_does_not_pass_a_slow_writer(url, write):
    assert await passed(url, write) == []


async def test_a_writer_that_does_not_take_the_lock_is_found(url):
    assert await passed(url, unguarded) != []


@pytest.mark.citus
@pytest.mark.slow
async def test_on_citus_rows_without_the_guard_are_refused_by_their_table(citus_store):
    citus_store.empty()
    async with await connect(citus_store.url) as connection:
        with pytest.raises(psycopg.Error, match="with its guard"):
            async with connection.cursor().copy(UNGUARDED) as rows:
                await rows.write(copy_row(HITS[0]))


async def passed(url, write):
    """Return the positions up to a high-water mark that its reader did not see, because of a slow writer."""
    connections, intake, go_on = Connections(url), PostgresIntake(url), asyncio.Event()
    await connections.open()
    log = PostgresTrafficLog(connections)
    async with in_background(intake=intake.run):
        await intake.submit(one(HITS[0]))
        before = rows_of(url, DRAWN)
        writing = asyncio.create_task(write(url, go_on))
        await until(lambda: rows_of(url, DRAWN) > before)
        # Another writer is fast: its positions come after those of the slow one.
        await intake.submit(one(HITS[0]))
        reading = asyncio.create_task(read(log))
        await until(lambda: reading.done() or rows_of(url, WAITING))
        go_on.set()
        await writing
        mark, seen = await reading
        committed = await positions(log, mark)
    await connections.close()
    return sorted(set(committed) - set(seen))


async def read(log):
    mark = await log.high_water_mark()
    return mark, await positions(log, mark)


async def positions(log, mark):
    return [recorded.position for recorded in await log.read(after=0, up_to=mark, limit=100)]


def rows_of(url, statement):
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(statement).fetchall()
