"""The projector beside others: writers that commit out of order, a second projector, a server that goes away."""

import asyncio
import random
import time
from datetime import timedelta

import psycopg
import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.projections.freshness import PostgresFreshness
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.entrypoints.composition.background import Background
from tests.background import in_background
from tests.histories import SITE
from tests.stores.reading import reports_of
from tests.stores.stored import Stored, catch_up
from tests.waiting import LONG, until

OTHERS = (
    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
)
WEEK = Period(NOON - timedelta(days=7), NOON + timedelta(days=1))
_WRITE = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, pathname, device_type)
    select 1, %(visitor)s, %(at)s::timestamptz + n * interval '1 minute', %(at)s, 'pageview', %(path)s, 'desktop'
    from generate_series(1, %(hits)s) as n
"""


@pytest.fixture
async def connections(connections, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
    return connections


@pytest.fixture
async def projector(database_url):
    projector = Projector(database_url, GoalVersions(EventCodec()), size=50)
    yield projector
    await projector.close()


def write(url, *, visitor=1, hits=1, path="/", at=NOON):
    with psycopg.connect(url) as connection:
        connection.execute(_WRITE, {"visitor": visitor, "hits": hits, "path": path, "at": at})


def position(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select position from projection_checkpoint").fetchone()[0]


async def test_a_projector_that_cannot_prepare_its_connection_leaves_none_open(empty_database_url):
    projector = Projector(empty_database_url, GoalVersions(EventCodec()))

    # The traceback keeps what is not closed.
    with pytest.raises(StoreUnavailable) as failure:
        await projector.catch_up()

    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        await until(lambda: connection.execute(OTHERS).fetchone() == (0,))
    assert failure.traceback


async def test_nothing_is_skipped_or_counted_twice_while_writers_commit_out_of_order(
    connections, database_url
):
    projectors = [Projector(database_url, GoalVersions(EventCodec()), size=50) for _ in range(2)]
    background = Background({f"projector {n}": one.run for n, one in enumerate(projectors)})
    background.start()

    await asyncio.gather(*(asyncio.to_thread(_write_slowly, database_url, visitor) for visitor in range(8)))
    reports = PostgresFreshness(connections, ManualClock(NOON), projectors[0].wake)
    async with asyncio.timeout(LONG):
        while (await reports.lag()).events:
            await reports.catch_up(SITE)
    await background.stop()

    traffic = await reports_of(connections).traffic.overview(SITE, ReportQuery(WEEK))
    assert (traffic.visitors, traffic.pageviews) == (8, 8 * 20 * 3)


def _write_slowly(url, visitor):
    chance = random.Random(visitor)
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(20):
            with connection.transaction():
                connection.execute(_WRITE, {"visitor": visitor, "hits": 3, "path": "/", "at": NOON})
                time.sleep(chance.random() / 50)


async def test_a_gap_left_by_a_rolled_back_transaction_does_not_stop_the_projector(
    connections, database_url, projector
):
    with psycopg.connect(database_url) as connection:
        connection.execute(_WRITE, {"visitor": 1, "hits": 200, "path": "/", "at": NOON})
        connection.rollback()
    write(database_url, visitor=2)

    await catch_up(projector)

    assert position(database_url) == 201
    assert (await reports_of(connections).traffic.overview(SITE, ReportQuery(WEEK))).pageviews == 1


@pytest.mark.usefixtures("connections")
async def test_a_projector_does_nothing_while_another_holds_the_checkpoint(database_url, projector):
    write(database_url)
    with psycopg.connect(database_url) as other:
        other.execute("select * from projection_checkpoint for update")

        more = await projector.catch_up()

    assert (more, position(database_url)) == (False, 0)


@pytest.mark.usefixtures("connections")
async def test_a_projector_of_another_version_does_nothing(database_url, projector):
    write(database_url)
    with psycopg.connect(database_url) as newer:
        newer.execute("update projection_checkpoint set projection_version = projection_version + 1")

    more = await projector.catch_up()

    assert not more
    assert position(database_url) == 0


@pytest.mark.usefixtures("connections")
async def test_a_projector_without_the_checkpoint_stops_no_writer(database_url, projector):
    with psycopg.connect(database_url) as writer, psycopg.connect(database_url) as other:
        writer.execute(_WRITE, {"visitor": 1, "hits": 1, "path": "/", "at": NOON})
        other.execute("select * from projection_checkpoint for update")

        async with asyncio.timeout(LONG):
            more = await projector.catch_up()

    assert more is False


async def test_a_projector_continues_after_a_lost_connection(connections, database_url, projector):
    await projector.catch_up()
    write(database_url, hits=7)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and query like '%outlook%' and pid <> pg_backend_pid()"
        )

    with pytest.raises(StoreUnavailable):
        await projector.catch_up()
    await catch_up(projector)

    assert (await reports_of(connections).traffic.overview(SITE, ReportQuery(WEEK))).pageviews == 7


async def test_a_report_waits_for_hits_stored_before_it(connections, database_url, projector):
    async with in_background(projector=projector.run):
        write(database_url, hits=60)
        reports = PostgresFreshness(connections, ManualClock(NOON), projector.wake, patience_seconds=LONG)

        missing = await reports.catch_up(SITE)

        assert (missing, position(database_url)) == (0, 60)


async def test_a_report_waits_for_goals_stored_before_it(database_url):
    stored = Stored(database_url)
    await stored.open()
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
    write(database_url, hits=3)
    await catch_up(stored.projector)
    goal_id, _ = await stored.define(PathRule("/*"))
    reports = PostgresFreshness(
        stored.connections, ManualClock(NOON), stored.projector.wake, patience_seconds=LONG
    )

    async with in_background(projector=stored.projector.run):
        await reports.catch_up(SITE)

    with psycopg.connect(database_url) as connection:
        counted = connection.execute("select goal_id, fill_from from goal_version").fetchall()
    assert counted == [(goal_id, None)]
    await stored.close()


async def test_a_new_goal_does_not_wait_for_the_past_of_another_site(database_url):
    stored = Stored(database_url)
    await stored.open()
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
    write(database_url, hits=9)
    await catch_up(stored.projector)
    await stored.define(PathRule("/*"))
    projector = stored.new_projector(size=2)
    # The goal is learned, and a piece of its past counted.
    for _ in range(2):
        await projector.catch_up()
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "insert into goal_version (goal_id, site_id, version, number, path_equals, fill_from)"
            " values (99, %s, 99, 99, '/', '-infinity')",
            (SITE + 1,),
        )

    await projector.catch_up()

    with psycopg.connect(database_url) as connection:
        waiting = connection.execute(
            "select site_id from goal_version where fill_from is not null"
        ).fetchall()
    assert waiting == [(SITE,)]
    await projector.close()
    await stored.close()


async def test_the_lag_counts_hits_that_are_not_projected(connections, database_url, projector):
    write(database_url, hits=5)
    clock = ManualClock(NOON + timedelta(seconds=3))
    reports = PostgresFreshness(connections, clock, projector.wake)

    before = await reports.lag()
    await catch_up(projector)
    after = await reports.lag()

    assert (before.events, before.seconds) == (5, 3.0)
    assert (after.events, after.seconds) == (0, 0.0)


async def test_a_report_stops_waiting_and_tells_how_many_hits_it_misses(connections, database_url):
    write(database_url, hits=3)
    reports = PostgresFreshness(connections, ManualClock(NOON), lambda: None)
    started = time.monotonic()

    missing = await reports.catch_up(SITE)

    assert 0.9 < time.monotonic() - started < LONG
    assert (missing, position(database_url)) == (3, 0)


async def test_hits_that_are_not_projected_yet_belong_to_no_session(database_url):
    stored = Stored(database_url)
    await stored.connections.open()
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
    write(database_url, at=NOON)
    await catch_up(stored.projector)
    write(database_url, at=NOON + timedelta(hours=3), path="/late")

    [counted] = await stored.goals.count_conversions(SITE, [GoalQuery(PathRule("/*"))], ReportQuery(WEEK))

    assert (counted.conversions, counted.sessions) == (1, 1)
    await stored.close()


class Overtaken(Projector):
    """A projector that is overtaken by a decision whenever it has looked how far the journal goes."""

    decide = None

    async def _outlook(self, connection):
        found = await super()._outlook(connection)
        if self.decide:
            await self.decide()
        return found


async def test_a_goal_defined_while_the_journal_is_read_is_learned_once(database_url):
    stored = Stored(database_url)
    await stored.connections.open()
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
    write(database_url)
    projector, goals = Overtaken(database_url, GoalVersions(EventCodec())), []

    async def decide():
        goals.append((await stored.define(PathRule("/")))[1])

    projector.decide = decide
    await projector.catch_up()
    projector.decide = None
    await catch_up(projector)

    counted = await stored.goals.count_conversions(SITE, goals, ReportQuery(WEEK))
    assert {one.conversions for one in counted} == {1}
    with psycopg.connect(database_url) as connection:
        learned = connection.execute(
            "select goal_id, version, fill_from from goal_version order by 1"
        ).fetchall()
    assert learned == [(number, goal.version, None) for number, goal in enumerate(goals, 1)]
    await projector.close()
    await stored.close()


async def test_session_ids_come_from_the_log(database_url):
    stored = Stored(database_url)
    await stored.connections.open()
    with psycopg.connect(database_url) as connection:
        connection.execute("select hit_partition(%s)", (NOON,))
        connection.execute("select setval('hit_position', 41)")
    write(database_url)
    await catch_up(stored.projector)

    rows = (await stored.read_models())["session"]

    assert [row["session_id"] for row in rows] == [42]
    await stored.close()
