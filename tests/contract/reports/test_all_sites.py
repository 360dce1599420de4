"""Visitors of many sites: what one statement answers is what the function of the domain says of each site."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryAllSites
from footfall.adapters.postgres.reports.all_sites import PostgresAllSites
from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import excluding
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentSpan, RecentVisitors
from tests.conditions import filter_of
from tests.generated import examples
from tests.histories import hit, record
from tests.stores.stored import catch_up

NOW = datetime(2026, 10, 25, 14, 7, tzinfo=UTC)
DAYS = RecentDays.at(NOW)
SITES = (1, 2, 2**40)
MINUTE = timedelta(minutes=1)
NO_SINGLE_HITS = [excluding([[filter_of("hits", "equals", "1")], [filter_of("user_id", "regex", "^b")]])]

# Around the edges of the two days and of their hours.
instants = st.builds(
    lambda hours, moment: DAYS.before.start + hours * timedelta(hours=1) + moment,
    # 48 hours end the spans; 7 and 30 days, and as much before them, begin the others.
    st.sampled_from([-24, -23, -1, 0, 1, 23, 24, 25, 47, 48])
    | st.integers(-30, 49)
    | st.sampled_from([48 - 24 * days for days in (1, 6, 7, 8, 13, 14, 29, 30, 31, 59, 60, 61)]),
    st.sampled_from([timedelta(), -timedelta(microseconds=1), 7 * MINUTE, 59 * MINUTE]),
)
# Up to a day long.
visits = st.builds(
    lambda site, visitor, user, at, pauses: [
        hit(at + number * 30 * MINUTE, site_id=site, visitor_id=visitor, **user)
        for number in range(pauses + 1)
    ],
    st.sampled_from(SITES[:2]),
    st.sampled_from([1, 2, -(2**63), 2**63 - 1]),
    st.sampled_from([{}, {}, {"user_id": "anna", "signed_visitor_id": 1}, {"user_id": "bob"}]),
    instants,
    st.sampled_from([0, 0, 1, 3, 47]),
)


@examples(60)
@given(log=st.lists(visits, max_size=10), span=st.sampled_from(RecentSpan))
async def test_visitors_of_each_site_are_those_of_the_domain(stored, log, span):
    await stored.empty()
    await stored.append(record(*(one for visit in log for one in visit)))
    await catch_up(stored.projector)

    days = RecentDays.at(NOW, span)
    found = await PostgresAllSites(stored.reading, compile_patterns).recent_visitors(SITES, days)

    assert found == await MemoryAllSites(stored.log).recent_visitors(SITES, days)
    for site in SITES:
        by_rules = await PostgresAllSites(stored.reading, compile_patterns).selected_visitors(
            site, days, NO_SINGLE_HITS
        )
        assert by_rules == await MemoryAllSites(stored.log).selected_visitors(site, days, NO_SINGLE_HITS)


async def test_no_site_is_asked_about(stored):
    assert await PostgresAllSites(stored.reading, compile_patterns).recent_visitors([], DAYS) == {}


async def test_a_visitor_who_comes_again_counts_once_a_day_and_once_an_hour(stored):
    await stored.empty()
    hours = [DAYS.start + number * timedelta(hours=1) for number in (-3, 0, 5)]
    await stored.append(record(*(hit(at, visitor_id=7) for at in (*hours, hours[-1] + 40 * MINUTE))))
    await catch_up(stored.projector)

    found = await PostgresAllSites(stored.reading, compile_patterns).recent_visitors([1], DAYS)

    in_hours = tuple(int(number in (0, 5)) for number in range(24))
    assert found == {1: RecentVisitors(visitors=1, before=1, parts=in_hours)}


async def test_a_period_of_hits_begins_at_its_start_and_ends_before_its_end(stored):
    await stored.empty()
    await stored.append(record(hit(NOW, site_id=1)))
    sites, end = PostgresAllSites(stored.reading, compile_patterns), NOW + MINUTE

    assert await sites.with_hits({1: Period(NOW, end), 2: Period(NOW, end)}) == {1}
    assert await sites.with_hits({1: Period(NOW - MINUTE, NOW)}) == frozenset()
    assert await sites.with_hits({}) == frozenset()
