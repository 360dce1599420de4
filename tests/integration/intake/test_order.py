"""Reading a log in order never skips what commits late."""

import asyncio
from datetime import UTC, datetime

import psycopg
import pytest

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.application.journal.event_codec import EventCodec
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.examples import NOON, a_hit
from footfall.domain.goals.goal import GoalDefined, PathRule
from footfall.entrypoints.composition.background import Background
from tests.stores.traffic_log import PostgresTrafficLog
from tests.submissions import one

METADATA = Metadata(Actor(), NOON)
INSERT_EVENT = """
    insert into event (stream, version, type, schema_version, data, recorded_at)
    values (%s, 1, 'goal-deleted', 0, '{}', now())
"""
INSERT_HIT = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)
    values (%s, 1, %s, now(), 'pageview', 'desktop')
"""


@pytest.fixture
async def connections(database_url):
    pool = Connections(database_url, most=8)
    await pool.open()
    async with pool.connection() as connection:
        # A reader gives up after half a second: here the writers are slow on purpose, and the machine may be, too.
        await connection.execute("alter function hit_high_water_mark() set lock_timeout = '60s'")
    yield pool
    await pool.close()


async def test_a_reader_of_the_journal_sees_a_slow_append_before_what_came_after(database_url, connections):
    store = PostgresEventStore(connections, Listener(database_url), EventCodec())
    slow = await psycopg.AsyncConnection.connect(database_url)
    await slow.execute(INSERT_EVENT, ("goal-slow",))
    fast = asyncio.create_task(
        store.append("goal-fast", [GoalDefined(1, 1, "g", PathRule("/"))], expected=0, metadata=METADATA)
    )
    await asyncio.sleep(0.2)

    seen_before = [one.stream for one in await store.read_all(after=0, limit=10)]
    await slow.commit()
    await fast
    seen_after = [one.stream for one in await store.read_all(after=0, limit=10)]

    await slow.close()
    assert seen_before == []
    assert seen_after == ["goal-slow", "goal-fast"]


async def test_concurrent_appenders_never_make_a_reader_skip_an_event(database_url, connections):
    store = PostgresEventStore(connections, Listener(database_url), EventCodec())
    seen: list[str] = []
    done = asyncio.Event()

    async def append(writer):
        for number in range(25):
            event = GoalDefined(number, writer, "g", PathRule("/"))
            await store.append(f"goal-{writer}_{number}", [event], expected=0, metadata=METADATA)

    async def append_slowly():
        async with await psycopg.AsyncConnection.connect(database_url) as connection:
            for number in range(10):
                await connection.execute(INSERT_EVENT, (f"goal-slow_{number}",))
                await asyncio.sleep(0.02)
                await connection.commit()

    async def read():
        position = 0
        while True:
            finished = done.is_set()
            events = await store.read_all(after=position, limit=7)
            seen.extend(one.stream for one in events)
            position = events[-1].position if events else position
            if finished and not events:
                return

    reader = asyncio.create_task(read())
    await asyncio.gather(append(1), append(2), append(3), append_slowly())
    done.set()
    await reader

    stored = [one.stream for one in await store.read_all(after=0, limit=1_000)]
    assert len(stored) == 85
    assert seen == stored


async def test_the_horizon_of_the_traffic_log_waits_for_a_slow_writer(database_url, connections):
    log = PostgresTrafficLog(connections)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    async with connections.connection() as connection:
        await connection.execute("select hit_partition(%s)", (at,))
    slow = await psycopg.AsyncConnection.connect(database_url)
    await slow.execute(INSERT_HIT, (1, at))

    asking = asyncio.create_task(log.high_water_mark())
    await asyncio.sleep(0.2)
    waited = not asking.done()
    await slow.commit()
    high_water_mark = await asking

    await slow.close()
    assert waited
    assert [one.hit.site_id for one in await log.read(after=0, up_to=high_water_mark, limit=10)] == [1]


async def test_a_reader_of_the_traffic_log_skips_nothing_while_workers_write(database_url, connections):
    log, intakes = PostgresTrafficLog(connections), [PostgresIntake(database_url) for _ in range(3)]
    background = Background({f"intake {number}": intake.run for number, intake in enumerate(intakes)})
    background.start()
    async with connections.connection() as connection:
        await connection.execute("select hit_partition(%s)", (NOON,))
    seen: list[int] = []
    done = asyncio.Event()

    async def write(writer, intake):
        for round_number in range(20):
            hits = [a_hit(visitor_id=writer * 10_000 + round_number * 10 + number) for number in range(10)]
            await asyncio.gather(*(intake.submit(one(hit)) for hit in hits))

    async def write_slowly():
        async with await psycopg.AsyncConnection.connect(database_url) as connection:
            for _ in range(10):
                await connection.execute(INSERT_HIT, (1, NOON))
                await asyncio.sleep(0.02)
                await connection.commit()

    async def read():
        position = 0
        while True:
            finished = done.is_set()
            high_water_mark = await log.high_water_mark()
            while hits := await log.read(after=position, up_to=high_water_mark, limit=50):
                seen.extend(one.position for one in hits)
                position = hits[-1].position
            if finished:
                return

    reader = asyncio.create_task(read())
    await asyncio.gather(write_slowly(), *(write(number, intake) for number, intake in enumerate(intakes)))
    done.set()
    await reader
    await background.stop()

    stored = await log.read(after=0, up_to=await log.high_water_mark(), limit=10_000)
    assert len(stored) == 610
    assert seen == [one.position for one in stored]
