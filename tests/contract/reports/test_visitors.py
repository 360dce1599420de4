"""Distinct visitors: returning, late and over midnight, in summarized days and others."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.reports.visitors import counts as visitor_counts
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from tests.generated import examples
from tests.histories import SITE, hit, record
from tests.stores.stored import catch_up

# Two days before clocks in Berlin are set back: the longest days there are.
START = datetime(2026, 10, 23, tzinfo=UTC)
DAYS = 8
ZONES = ("UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Los_Angeles", "America/St_Johns", "Pacific/Apia")
QUARTER = timedelta(minutes=15)
unhurried = examples(30)

# Often close to where days begin, and just before or just at a quarter.
instants = st.builds(
    lambda day, quarters, moment: START + timedelta(days=day) + quarters * QUARTER + moment,
    st.integers(0, DAYS - 1),
    st.sampled_from([-2, -1, 0, 0, 1, 2, 3, 4]) | st.integers(-30, 95),
    st.sampled_from([timedelta(), timedelta(minutes=7), -timedelta(microseconds=1)]),
)
# A hit, or a session of up to a day.
visits = st.builds(
    lambda at, visitor, half_hours: [
        hit(at + n * timedelta(minutes=30), visitor_id=visitor) for n in range(half_hours + 1)
    ],
    instants,
    # So few that they come again and again.
    st.integers(1, 2),
    st.sampled_from([0, 0, 0, 1, 2, 5, 47]),
)


def by_time(hits):
    return sorted(hits, key=lambda one: one.occurred_at)


# In the order of the log, which need not be that of time.
logs = st.lists(visits, min_size=4, max_size=14).map(lambda found: [one for visit in found for one in visit])
edges = st.builds(
    lambda day, quarters: START + timedelta(days=day) + quarters * QUARTER,
    st.integers(-1, DAYS),
    st.sampled_from([0, 0, 0, -23, 28, -8, 14]) | st.integers(0, 95),
)
periods = (
    st.tuples(edges, edges).map(sorted).filter(lambda pair: pair[0] < pair[1]).map(lambda pair: Period(*pair))
)
zones = st.sampled_from(ZONES).map(parse_zone)
stores = st.fixed_dictionaries(
    {
        "log": logs,
        "late": logs | st.just([]),
        # Days with fewer hits are not counted.
        "small": st.sampled_from([0, 0, 2, 4]),
        # Gaps are asked of their rows alone however much there is in them, or as they are otherwise.
        "dear": st.sampled_from([0, 20]),
    }
)


@pytest.fixture
def fill(stored, monkeypatch):
    async def fill(*, log, late, small, dear):
        """Store hits and count their days, then store those that come late."""
        monkeypatch.setattr(visitor_counts, "LOOKUP_COST", dear)
        await stored.empty()
        recorded = record(*log, *late)
        await stored.append(recorded[: len(log)])
        await catch_up(stored.projector)
        await stored.count_days(small=small)
        await stored.append(recorded[len(log) :])
        await catch_up(stored.projector)

    return fill


@unhurried
@given(history=stores, period=periods)
async def test_visitors_of_a_period_are_those_of_the_domain(stored, fill, history, period):
    await fill(**history)

    overview = await stored.traffic.overview(SITE, period)

    assert overview == await stored.oracle.overview(SITE, period)


@unhurried
@given(history=stores, period=periods, size=st.sampled_from(BucketSize), zone=zones)
async def test_visitors_of_pieces_are_those_of_the_domain(stored, fill, history, period, size, zone):
    assume(_fits(period, size, zone))
    await fill(**history)

    points = await stored.traffic.timeseries(SITE, period, size, zone)

    assert points == await stored.oracle.timeseries(SITE, period, size, zone)


@unhurried
@given(history=stores)
async def test_days_that_come_late_are_counted_as_if_they_had_come_in_time(stored, fill, history):
    await fill(**history)
    await stored.count_days()
    late = (await stored.read_models())["visitors_day"]

    await stored.forget_read_models()
    await catch_up(stored.projector)
    await stored.count_days()

    counted = {row["day"]: row for row in (await stored.read_models())["visitors_day"]}
    assert late == [counted[row["day"]] for row in late]


@unhurried
@given(
    log=logs.map(by_time),
    late=logs,
    before=edges,
    early=st.booleans(),
    again=st.booleans(),
    period=periods,
)
async def test_visitors_after_retention_are_those_of_the_remaining_hits(
    stored, monkeypatch, log, late, before, early, again, period
):
    # However much has not been counted, all the rest is looked up.
    monkeypatch.setattr(visitor_counts, "LOOKUP_COST", 0)
    await stored.empty()
    await arrive(stored, record(*log))
    late = record(*late, first=len(log) + 1)

    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        past = RetentionCutoff(SITE, before)
        await locked.erase_some(past, 9)
        while not locked.only_counts_remain:
            await locked.erase_some(past, 9)
        if early:
            await arrive(stored, late)
        while await locked.erase_some(past, 9) is not None:
            pass
    if not early:
        await arrive(stored, late)
    if again:
        await stored.count_days()

    await forget_erased(stored)
    assert await stored.traffic.overview(SITE, period) == await stored.oracle.overview(SITE, period)


@unhurried
@given(log=logs.map(by_time), before=edges)
async def test_days_that_are_kept_are_counted_as_if_nothing_had_been_before(stored, log, before):
    await stored.empty()
    await arrive(stored, record(*log))

    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        while await locked.erase_some(RetentionCutoff(SITE, before), 9) is not None:
            pass

    await stored.count_days()
    left = (await stored.read_models())["visitors_day"]
    await stored.forget_read_models()
    await catch_up(stored.projector)
    await stored.count_days()
    assert left == (await stored.read_models())["visitors_day"]


@pytest.mark.parametrize("before", [START, START + timedelta(days=3), START + timedelta(days=3, hours=6)])
async def test_visitors_of_a_busy_site_are_those_of_the_domain(stored, before):
    await arrive(stored, record(*busy()))
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        while await locked.erase_some(RetentionCutoff(SITE, before), 500) is not None:
            pass
    # One day is left to the rows.
    await stored.count_days(small=40)
    await forget_erased(stored)
    marks = [START + timedelta(days=day, hours=hour) for day in range(1, DAYS, 2) for hour in (0, 7, 18)]
    periods = [Period(start, end) for start in marks for end in marks if start < end]

    found = [(await stored.traffic.overview(SITE, period)).visitors for period in periods]
    series = [await stored.traffic.timeseries(SITE, *asked) for asked in series_of(marks)]

    assert found == [(await stored.oracle.overview(SITE, period)).visitors for period in periods]
    assert series == [await stored.oracle.timeseries(SITE, *asked) for asked in series_of(marks)]


@pytest.mark.parametrize("hours", [25, 26, 27])
async def test_a_visitor_last_seen_up_to_a_day_ago_is_counted_once(stored, hours):
    # Where the longest day of Berlin begins.
    start = START + timedelta(days=1, hours=22)
    pairs = [(hit(start, visitor_id=n), hit(start + n * QUARTER, visitor_id=n)) for n in range(92, 108)]
    await arrive(stored, record(*by_time(one for pair in pairs for one in pair)))
    period = Period(start, start + timedelta(hours=hours))
    asked = (period, BucketSize.DAY, parse_zone("Europe/Berlin"))

    overview = await stored.traffic.overview(SITE, period)

    assert overview == await stored.oracle.overview(SITE, period)
    assert await stored.traffic.timeseries(SITE, *asked) == await stored.oracle.timeseries(SITE, *asked)


async def test_a_visitor_present_at_the_start_is_not_counted_again_in_an_unfinished_day(stored, monkeypatch):
    monkeypatch.setattr(visitor_counts, "LOOKUP_COST", 0)
    noon = START + timedelta(hours=12)
    carried = [hit(noon + n * timedelta(minutes=20), visitor_id=1) for n in (-1, 0)]
    others = [hit(noon + timedelta(hours=n), visitor_id=2 + n) for n in range(4)]
    await arrive(stored, record(*carried, *others))
    # Days on which something has arrived since they were counted are asked of their rows.
    next_day = [hit(noon + timedelta(hours=24), visitor_id=visitor) for visitor in (1, 2, 9)]
    await stored.append(record(*next_day, first=len(carried) + len(others) + 1))
    await catch_up(stored.projector)
    period = Period(noon - timedelta(minutes=15), noon + timedelta(hours=36))

    overview = await stored.traffic.overview(SITE, period)

    assert overview.visitors == 6
    assert overview == await stored.oracle.overview(SITE, period)


def busy():
    """Return single hits, in their order, of visitors who come again after a quarter of an hour to some days."""
    chance = random.Random(7)
    minutes = sorted(chance.randrange(DAYS * 24 * 60) for _ in range(500))
    return [
        hit(START + timedelta(minutes=minute), visitor_id=chance.randrange(1, 1 + chance.randrange(2, 90)))
        for minute in minutes
    ]


def series_of(marks):
    whole = Period(marks[0], marks[-1])
    sizes = (BucketSize.HOUR, BucketSize.DAY, BucketSize.WEEK)
    return [(whole, size, parse_zone(zone)) for size in sizes for zone in ZONES]


async def arrive(stored, hits):
    """Store hits and count the days that they touch."""
    await stored.append(hits)
    await catch_up(stored.projector)
    await stored.count_days()


async def forget_erased(stored):
    """Leave in memory what is left in the log."""
    async with stored.connections.connection() as connection:
        rows = await (await connection.execute("select position from hit")).fetchall()
    kept = {row["position"] for row in rows}
    stored.log.hits = [one for one in stored.log.hits if one.position in kept]


def _fits(period, size, zone):
    try:
        split_into_buckets(period, size, zone)
    except Invalid:
        return False
    return True
