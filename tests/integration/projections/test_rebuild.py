"""Making the projections again while they are in use."""

import asyncio
import contextlib
from functools import partial

import psycopg
import pytest

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, sharing_lock
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.projections.checkpoint import ProjectionVersionMismatch
from footfall.adapters.postgres.projections.read_models import PROJECTION_VERSION, READ_MODELS
from footfall.adapters.postgres.projections.rebuild import EventsErased, Rebuild, RebuildUnderWay
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import sessionize
from footfall.entrypoints.composition.projectors import build_projector, rebuilding
from tests.histories import SITE, after, days, error, event, hit, record
from tests.stores.stored import catch_up

LOG = record(
    *(hit(after(minutes=7 * n), visitor_id=n % 5, pathname=f"/blog/{n}") for n in range(60)),
    *(event("signup", after(minutes=11 * n), visitor_id=n % 5) for n in range(20)),
)
NEWER = "update projection_checkpoint set projection_version = projection_version + 1"
EVERYTHING = days("2026-03-01", "2026-04-30")
STALLED = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)
    values (1, 1, '2026-03-14', '2026-03-14', 'pageview', 'desktop')
"""
# Of the two projectors that fill the set, the one that is in a slice while the other one tells its progress.
LOST = """
    select pg_terminate_backend(pid)
    from pg_locks
    where relation = 'footfall_rebuild.session'::regclass and pid <> pg_backend_pid()
    limit 1
"""
_LAYOUT = """
    select c.relname, c.reloptions from pg_class as c
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')
        and relname ~ '^(session|traffic|conversion|error|goal_v|retired|projection|day_)'
    order by 1
"""


@pytest.fixture
async def stored(stored):
    stored.asked = [(await stored.define(rule))[1] for rule in (PathRule("/blog/*"), EventRule("signup"))]
    await stored.append(LOG)
    await catch_up(stored.projector)
    return stored


def nothing(_position, _target):
    """Ignore the progress."""


def execute(url, statement):
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


async def test_a_replay_finds_no_difference(stored):
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)


async def test_the_planner_knows_the_tables_that_a_replay_fills(stored):
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        name = f"{rebuilt.copied.schema}.session"
        # Of a table that was never analyzed it is -1.
        [[rows]] = execute(stored.url, f"select reltuples from pg_class where oid = '{name}'::regclass")

    assert rows == len(sessionize(LOG))


async def test_a_replay_goes_on_while_a_writer_stalls(stored):
    with psycopg.connect(stored.url) as writer:
        # It keeps the lock that the high-water mark waits for.
        writer.execute(STALLED)
        async with rebuilding(stored.url) as rebuilt:
            await rebuilt.replay(nothing)
            differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)


async def test_an_exchange_goes_on_while_a_writer_stalls(stored):
    execute(stored.url, "update session set pageviews = 0")

    with psycopg.connect(stored.url) as writer:
        writer.execute(STALLED)
        async with rebuilding(stored.url) as rebuilt:
            await rebuilt.replay(nothing)
            await rebuilt.exchange()

    assert [session_of(row) for row in (await stored.read_models())["session"]] == sessionize(LOG)


async def test_a_rebuild_finds_rows_changed_by_hand(stored):
    execute(stored.url, "update session set pageviews = pageviews + 1 where session_id = 1")

    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        differences = await rebuilt.differences()

    assert {table: rows for table, rows in differences.items() if rows} == {"session": 2}


async def test_a_lost_connection_of_a_share_ends_a_rebuild_and_leaves_nothing_of_it(stored):
    def lose(position, target):
        if 1 < position < target:
            execute(stored.url, LOST)

    with pytest.raises(StoreUnavailable):
        async with _in_small_slices(stored) as rebuilt:
            await rebuilt.replay(lose)
    async with _in_small_slices(stored) as rebuilt:
        await rebuilt.replay(nothing)
        differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)


async def test_of_two_errors_at_one_time_the_later_one_names_the_message_in_any_order_of_shares(stored):
    names = [
        error("x", after(days=1), visitor_id=visitor_id, name=name)
        for visitor_id, name in ((2, "First"), (1, "Second"))
    ]
    await stored.append(record(*names, first=len(LOG) + 1))
    await catch_up(stored.projector)
    async with rebuilding(stored.url) as rebuilt:
        while await rebuilt.shadow.catch_up(up_to=len(LOG)):
            pass
        await rebuilt.second.fold_share(1, after=len(LOG), up_to=len(LOG) + 2)
        await rebuilt.shadow.fold_share(0, after=len(LOG), up_to=len(LOG) + 2)
        _, journal_position = await rebuilt.copied.positions()
        await rebuilt.shadow.move_to(len(LOG) + 2, journal_position)
        differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)


async def test_an_exchange_mends_and_keeps_the_tables_as_they_were(stored):
    layout = execute(stored.url, _LAYOUT)
    execute(stored.url, "delete from conversion; update session set pageviews = 0")

    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        await rebuilt.exchange()

    assert [session_of(row) for row in (await stored.read_models())["session"]] == sessionize(LOG)
    assert execute(stored.url, _LAYOUT) == layout
    counted = await stored.goals.count_conversions(SITE, stored.asked, ReportQuery(EVERYTHING))
    assert counted == await stored.oracle.count_conversions(SITE, stored.asked, ReportQuery(EVERYTHING))


async def test_the_projector_goes_on_after_an_exchange(stored):
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        await rebuilt.exchange()
    more = record(hit(after(days=2), visitor_id=9), first=LOG[-1].position + 1)

    await stored.append(more)
    await catch_up(stored.projector)

    rows = (await stored.read_models())["session"]
    assert [session_of(row) for row in rows] == sessionize(LOG + more)


async def test_a_second_rebuild_is_refused(stored):
    async with rebuilding(stored.url) as rebuilt:
        with pytest.raises(RebuildUnderWay):
            await _begin(stored.url)

        await rebuilt.replay(nothing)
        assert await rebuilt.differences() == dict.fromkeys(READ_MODELS, 0)


async def test_nothing_is_erased_of_the_set_in_use_alone(stored):
    async with rebuilding(stored.url) as rebuilt:
        async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
            assert locked is None
        async with (
            stored.connections.connection() as connection,
            sharing_lock(AdvisoryLock.UNDO, connection) as allowed,
        ):
            assert not allowed
        await rebuilt.replay(nothing)
        await rebuilt.exchange()

    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        assert locked is not None


async def test_a_rebuild_waits_for_retention(stored):
    async with PostgresRetentionStore(stored.connections, stored.url).lock():
        with pytest.raises(EventsErased):
            async with Rebuild.begun(stored.url, partial(build_projector, stored.url), 0.0):
                raise AssertionError
        beginning = asyncio.ensure_future(_begin(stored.url))
        await asyncio.sleep(0.3)
        assert not beginning.done()

    with pytest.raises(AssertionError):
        await beginning


async def test_a_rebuild_refuses_tables_of_another_version(stored):
    execute(stored.url, NEWER)

    with pytest.raises(ProjectionVersionMismatch):
        await _begin(stored.url)


async def test_tables_migrated_meanwhile_are_not_exchanged(stored):
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(nothing)
        execute(stored.url, NEWER)

        with pytest.raises(ProjectionVersionMismatch):
            await rebuilt.exchange()

    assert execute(stored.url, "select projection_version from projection_checkpoint") == [
        (PROJECTION_VERSION + 1,)
    ]


async def test_an_interrupted_rebuild_leaves_nothing_behind(stored):
    with contextlib.suppress(ZeroDivisionError):
        async with rebuilding(stored.url):
            raise ZeroDivisionError

    assert execute(stored.url, "select from pg_namespace where nspname = 'footfall_rebuild'") == []


async def test_progress_ends_at_the_target(stored):
    seen = []

    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(lambda position, target: seen.append((position, target)))

    assert (seen[0], seen[-1]) == ((0, len(LOG)), (len(LOG), len(LOG)))


def _in_small_slices(stored):
    return Rebuild.begun(stored.url, lambda schema: stored.new_projector(schema=schema, size=1))


async def _begin(url):
    async with rebuilding(url):
        raise AssertionError
