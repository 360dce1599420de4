"""The newest pageview of a page that names none of its pageviews."""

from datetime import timedelta

import pytest

from footfall.adapters.postgres.intake.measure_rows import PostgresNewestPageviews
from footfall.application.ports.traffic_log import NewestPageview, Submission
from footfall.domain.examples import NOON, a_hit
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.tracking.engagement import NAMELESS_SPAN, Measure, NamelessPages

TICK = timedelta(seconds=1 / 32)
# All keys of a turn, after which they begin anew.
TURN = timedelta(seconds=2**24 / 32)


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
def report(traffic):
    intake, _ = traffic

    async def store(key, site_id=1, **reported):
        measure = Measure(site_id=site_id, pageview_key=key, received_at=NOON, **reported)
        await intake.submit(Submission((PendingHit(measure),)))

    return store


async def asked(newest, now=NOON, of=None, site_id=1):
    return await newest.of_page(site_id, of or pages(), now, since=now - NAMELESS_SPAN)


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

    assert await asked(newest) == NewestPageview(keys[2], 0)
    assert await asked(newest, NOON - 2 * TICK) == NewestPageview(keys[1], 0)


@pytest.mark.parametrize("age", [timedelta(0), TICK, timedelta(days=3), NAMELESS_SPAN])
async def test_it_is_found_wherever_the_keys_begin_anew(newest, view, age):
    # Times around the end of a turn, at which the last bits of keys begin with 0 again.
    begins = NOON + (TURN - timedelta(seconds=NOON.timestamp() % TURN.total_seconds()))
    for now in (begins - TICK, begins, begins + TICK, begins + age):
        older = await view(now - age - TICK)
        key = await view(now - age)

        assert await asked(newest, now) == NewestPageview(key, 0), (now, older)


async def test_what_was_reported_of_it_comes_along(newest, view, report):
    key = await view(NOON)
    for reported in ({"engaged_ms": 700}, {"engaged_ms": 900}, {"scroll_percent": 80}):
        await report(key, **reported)
    await report(key + 1, engaged_ms=5_000)
    await report(key, site_id=2, engaged_ms=5_000)

    assert await asked(newest) == NewestPageview(key, 900)


async def test_two_pageviews_have_two_keys(newest, view, report):
    earlier = await view(NOON - timedelta(seconds=1))
    await report(earlier, engaged_ms=700)
    later = await view(NOON)

    assert later != earlier
    assert await asked(newest) == NewestPageview(later, 0)


def test_all_keys_of_a_page_are_in_its_ranges_and_numbers_of_64_bits():
    for visitor in range(200):
        page = pages(visitor)
        until_now, before = page.latest_first(NOON)

        assert page.key(NOON) in until_now
        assert len(until_now) + len(before) == 2**24
        assert -(2**63) <= until_now.start <= before.stop - 1 < 2**63
