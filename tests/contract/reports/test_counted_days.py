"""Days that have been counted, where it is hard: sessions over midnight, periods that cut days, hits that come late."""

from datetime import UTC, datetime, timedelta

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.postgres.reports.breakdowns import PostgresBreakdowns
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND
from tests import histories
from tests.generated import examples
from tests.histories import SITE, hit, record
from tests.stores.stored import catch_up

ALL = Page(1, 200)
MIDNIGHT = datetime(2026, 3, 29, tzinfo=UTC)
NIGHTS = 3
unhurried = examples(25)

# In the hours before and after a midnight; a session with hits at 23:50 and 00:10 crosses midnight.
moments = st.builds(
    lambda night, minutes: MIDNIGHT + timedelta(days=night, minutes=minutes),
    st.integers(0, NIGHTS),
    st.integers(-6, 6).map(lambda tens: 10 * tens) | st.sampled_from([-720, 0, 600]),
)
over_midnight = st.builds(
    lambda night, visitor: [
        hit(MIDNIGHT + timedelta(days=night, minutes=minutes), visitor_id=visitor, channel="Over")
        for minutes in (-10, 10)
    ],
    st.integers(0, NIGHTS),
    st.integers(1, 3),
)
# In the order of the log, which need not be that of time.
logs = st.builds(
    lambda visits, others: [one for visit in visits for one in visit] + others,
    st.lists(over_midnight, max_size=3),
    st.lists(moments.flatmap(lambda at: histories.hits(at=at)), min_size=1, max_size=15),
)
# Days in UTC, days of Kathmandu and of Los Angeles, and what no zone has.
edges = st.builds(
    lambda night, minutes: MIDNIGHT + timedelta(days=night, minutes=minutes),
    st.integers(-1, NIGHTS + 2),
    st.sampled_from([0, 0, 0, -345, 420, 15, 7]),
)
periods = (
    st.tuples(edges, edges).map(sorted).filter(lambda pair: pair[0] < pair[1]).map(lambda pair: Period(*pair))
)


@unhurried
@given(log=logs, late=logs | st.just([]), by=st.sampled_from([*DIMENSIONS, OUTBOUND]), period=periods)
async def test_sums_of_days_and_rows_are_a_breakdown(stored, log, late, by, period):
    await store(stored, log, late)

    found = await PostgresBreakdowns(stored.reading).break_down(SITE, by, period, ALL)

    assert found == await MemoryBreakdowns(stored.log).break_down(SITE, by, period, ALL)


@unhurried
@given(log=logs, late=logs | st.just([]), period=periods, many=st.sampled_from([0, 3, 500]))
async def test_sums_of_days_and_rows_are_vitals(stored, log, late, period, many):
    await store(stored, [measured(one) for one in log], [measured(one) for one in late], many=many)

    found = await PostgresBreakdowns(stored.reading).web_vitals(SITE, period, ALL)

    assert found == await MemoryBreakdowns(stored.log).web_vitals(SITE, period, ALL)


@unhurried
@given(log=logs, period=periods)
async def test_visitors_over_midnight_are_counted_once(stored, log, period):
    await store(stored, log, [])

    assert await stored.traffic.overview(SITE, period) == await stored.oracle.overview(SITE, period)


async def store(stored, log, late, **options):
    """Store hits and count their days, then store those that come late."""
    await stored.empty()
    recorded = record(*log, *late)
    await stored.append(recorded[: len(log)])
    await catch_up(stored.projector)
    await stored.count_days(**options)
    await stored.append(recorded[len(log) :])
    await catch_up(stored.projector)


def measured(one):
    """Make a performance measure of each hit: different ones, some unknown, some 0, some beyond all bounds."""
    minute = one.occurred_at.minute
    known = {
        "lcp": 40.5 * minute,
        "cls": minute / 1000 + 0.00004 if one.visitor_id > 1 else None,
        "fcp": [0.0001, 1e9, 1.7e308][one.visitor_id % 3],
        "ttfb": 0.0,
    }
    return evolve(one, type=HitType.PERFORMANCE, properties=None, **known)
