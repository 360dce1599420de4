"""The newest pageview of a page that names none of its pageviews."""

import asyncio
import contextlib
import itertools
from datetime import timedelta

import pytest

from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.measure_rows import PostgresNewestPageviews, recorded_measure, totals
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON, a_hit
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.tracking.engagement import (
    MOST_ENGAGED_MS,
    NAMELESS_SPAN,
    TICKS,
    TIME_BITS,
    EngagementReport,
    NamelessPages,
)
from footfall.domain.tracking.event_time import MOST_AHEAD
from tests.background import in_background

TICK = timedelta(seconds=1 / TICKS)
# All keys of a turn, after which they begin anew.
TURN = timedelta(seconds=2**TIME_BITS / TICKS)


def pages(visitor=1, pathname="/a", site_id=1):
    names = {"visitor_id": visitor, "hostname": "example.com", "pathname": pathname}
    return NamelessPages.of(b"secret", site_id=site_id, **names)


@pytest.fixture
def newest(pool, traffic):
    _, log = traffic
    return log if pool is None else PostgresNewestPageviews(pool)


@pytest.fixture
def view(traffic):
    """Store a pageview of a page, and return its key."""
    intake, _ = traffic

    async def store(at, of=None, site_id=1):
        key = (of or pages()).key(at)
        hit = a_hit(site_id=site_id, occurred_at=at, received_at=at, pageview_key=key)
        await intake.submit(Submission((PendingHit(hit),)))
        return key

    return store


@pytest.fixture
async def report(pool, traffic, request):
    """Store a report of a page by one of two workers, where there is a database that two can have."""
    first, _ = traffic
    second = first if pool is None else PostgresIntake(request.getfixturevalue("database_url"))
    workers = itertools.cycle((first, second))

    async def store(key, site_id=1, **reported):
        measure = EngagementReport(site_id=site_id, pageview_key=key, received_at=NOON, **reported)
        await next(workers).submit(Submission((PendingHit(measure),)))

    async with contextlib.AsyncExitStack() as background:
        if pool is not None:
            await background.enter_async_context(in_background(intake=second.run))
        yield store


@pytest.fixture
def measured(pool, traffic):
    """Return the measures of a page, in the order of the store."""
    _, log = traffic

    async def read(key):
        if pool is None:
            return [
                one.measure
                for one in log.measures
                if (one.measure.site_id, one.measure.pageview_key) == (1, key)
            ]
        async with pool.connection() as connection:
            rows = "select * from engagement where site_id = 1 and pageview_key = %s order by position"
            cursor = await connection.execute(rows, (key,))
            return [recorded_measure(row).measure for row in await cursor.fetchall()]

    return read


async def asked(newest, now=NOON, of=None, site_id=1):
    return await newest.of_page(site_id, of or pages(), now, since=now - NAMELESS_SPAN)


async def test_reports_of_many_pages_take_few_locks(pool):
    if pool is None:
        pytest.skip("memory has no locks")
    reports = [
        EngagementReport(
            site_id=1, pageview_key=number * 2**40 - 2**62 + number, received_at=NOON, engaged_ms=1
        )
        for number in range(3_000)
    ]
    async with pool.connection() as connection, connection.transaction():
        await totals(connection, reports)

        held = "select count(*) as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"
        row = await (await connection.execute(held)).fetchone()

    assert row["locks"] == 64


async def test_without_a_pageview_there_is_none(newest, view):
    await view(NOON, of=pages(visitor=2))
    await view(NOON, of=pages(pathname="/b"))
    await view(NOON, site_id=2)
    await view(NOON + timedelta(minutes=1))
    await view(NOON - NAMELESS_SPAN - TICK)

    assert await asked(newest) is None


async def test_of_several_the_newest_is_found(newest, view):
    ages = [timedelta(days=5), timedelta(hours=1), TICK, timedelta(days=1)]
    keys = [await view(NOON - age) for age in ages]

    assert await asked(newest) == keys[2]
    assert await asked(newest, NOON - 2 * TICK) == keys[1]


@pytest.mark.parametrize("age", [timedelta(0), TICK, timedelta(days=3), NAMELESS_SPAN])
async def test_it_is_found_wherever_the_keys_begin_anew(newest, view, age):
    # Times around the end of a turn, at which the last bits of keys begin with 0 again.
    begins = NOON + (TURN - timedelta(seconds=NOON.timestamp() % TURN.total_seconds()))
    for now in (begins - TICK, begins, begins + TICK, begins + age):
        older = await view(now - age - TICK)
        key = await view(now - age)

        assert await asked(newest, now) == key, (now, older)


async def test_two_pageviews_have_two_keys(newest, view):
    earlier = await view(NOON - timedelta(seconds=1))
    later = await view(NOON)

    assert later != earlier
    assert await asked(newest) == later


async def test_reports_are_added_up_in_the_order_of_the_store(view, report, measured):
    key, other = await view(NOON), await view(NOON, of=pages(visitor=2))
    await report(key, engaged_ms=700)
    await report(key, scroll_percent=80)
    await report(key, engaged_ms=900)
    await report(other, engaged_ms=5_000)
    await report(key, site_id=2, engaged_ms=5_000)
    await report(key, engaged_ms=MOST_ENGAGED_MS)

    assert [one.engaged_ms for one in await measured(key)] == [700, None, 1_600, MOST_ENGAGED_MS]


async def test_reports_that_arrive_together_are_all_counted(view, report, measured):
    key, other = await view(NOON), await view(NOON, of=pages(visitor=2))

    await asyncio.gather(*(report(one, engaged_ms=1_000) for _ in range(20) for one in (key, other)))

    for one in (key, other):
        assert [measure.engaged_ms for measure in await measured(one)] == [
            1_000 * number for number in range(1, 21)
        ]


async def test_no_rows_are_looked_at_that_are_too_old(pool, view):
    if pool is None:
        pytest.skip("there are no rows in memory")
    now = NOON.replace(day=28)
    for hours in range(24 * 6 + 1, 24 * 25, 2):
        await view(now - timedelta(hours=hours))
    latest, before = pages().latest_first(now - NAMELESS_SPAN, now)
    values = {"site_id": 1, "since": now - NAMELESS_SPAN, "now": now}
    values |= {"first": latest.start, "last": latest.stop - 1}
    values |= {"first_before": before.start, "last_before": before.stop - 1}

    async with pool.connection() as connection:
        await connection.execute("set local enable_seqscan = off")
        plan = await connection.execute(
            b"explain (analyze) " + statement("intake/measures/newest_pageview"), values
        )
        lines = str(await plan.fetchall())

    assert "Index Scan Backward" in lines
    assert "Rows Removed by Filter" not in lines


def test_the_keys_of_a_span_are_in_its_ranges_and_numbers_of_64_bits():
    for number in range(200):
        page, now = pages(number), NOON + timedelta(hours=6 * number)
        latest, before = page.latest_first(now - NAMELESS_SPAN, now)

        assert page.key(now) in latest
        assert page.key(now - NAMELESS_SPAN) in (before or latest)
        assert len(latest) + len(before) == NAMELESS_SPAN.total_seconds() * TICKS + 1
        assert -(2**63) <= latest.start <= latest.stop - 1 < 2**63


def test_months_that_hold_the_span_before_a_report_have_no_time_twice():
    assert timedelta(days=31) + NAMELESS_SPAN + MOST_AHEAD < TURN
