"""Series that alerts need: what PostgreSQL answers is what the functions of the domain say of the same log."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.alerts import MemoryWindowReports
from footfall.adapters.postgres.reports.window_reports import PostgresWindowReports
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from tests import histories
from tests.generated import examples
from tests.histories import RULES, SITE, START
from tests.stores.stored import catch_up

SIZES = st.sampled_from([BucketSize.FIFTEEN_MINUTES, BucketSize.HOUR, BucketSize.DAY])
ZONES = st.sampled_from([ZoneInfo("UTC"), ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kathmandu")])

unhurried = examples(60)


@unhurried
@given(
    log=histories.histories(max_size=60),
    rule=RULES,
    hours=st.integers(1, 72),
    size=SIZES,
    zone=ZONES,
    filters=st.lists(histories.filters(), max_size=1),
)
async def test_first_conversions_and_paints_are_those_of_the_domain(
    stored, log, rule, hours, size, zone, filters
):
    await stored.empty()
    _, goal = await stored.define(rule)
    await stored.append(log)
    await catch_up(stored.projector)
    found, oracle = PostgresWindowReports(stored.reading), MemoryWindowReports(stored.log)
    period = Period(START, START + timedelta(hours=hours))

    conversions = await found.first_conversions(SITE, goal, period, size, zone, filters)
    paints = await found.paints(SITE, period, size, zone, filters)

    assert conversions == await oracle.first_conversions(SITE, goal, period, size, zone, filters)
    assert paints == await oracle.paints(SITE, period, size, zone, filters)


async def test_a_goal_that_is_not_counted_yet_is_asked_later(stored):
    period = Period(START, START + timedelta(hours=1))

    with pytest.raises(StoreUnavailable, match="still being counted"):
        await PostgresWindowReports(stored.reading).first_conversions(
            SITE, GoalQuery(PathRule("/a"), 9_999), period, BucketSize.HOUR, ZoneInfo("UTC")
        )
