"""Traffic: what PostgreSQL answers is what the functions of the domain say of the same log."""

from datetime import timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import catch_up
from tests.zones import ZONES

unhurried = examples(60)


@unhurried
@given(
    log=histories.histories(max_size=60),
    period=histories.periods(),
    filters=st.lists(conditions.filters(), max_size=2),
)
async def test_the_overview_is_that_of_the_domain(stored, log, period, filters):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    overview = await stored.traffic.overview(SITE, ReportQuery(period, filters))

    assert overview == await stored.oracle.overview(SITE, ReportQuery(period, filters))


@unhurried
@given(
    log=histories.histories(max_size=60),
    hours=st.sampled_from([-1, -6, -24, -720]),
    length=st.lists(st.sampled_from(histories.STEPS), min_size=1, max_size=3),
)
async def test_sums_of_quarters_and_the_rest_of_one_are_those_of_the_domain(stored, log, hours, length):
    start = quarter_of(histories.START) + timedelta(hours=hours)
    period = Period(start, max(histories.START + sum(length, timedelta()), start))
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    overview = await stored.traffic.overview(SITE, ReportQuery(period))

    assert overview == await stored.oracle.overview(SITE, ReportQuery(period))


@unhurried
@given(
    log=histories.histories(max_size=60),
    period=histories.periods(),
    size=st.sampled_from(BucketSize),
    zone=st.sampled_from(ZONES).map(parse_zone),
    filters=st.lists(conditions.filters(), max_size=1),
)
async def test_the_timeseries_is_that_of_the_domain(stored, log, period, size, zone, filters):
    assume(_fits(period, size, zone))
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    points = await stored.traffic.timeseries(SITE, ReportQuery(period, filters), size, zone)

    assert points == await stored.oracle.timeseries(SITE, ReportQuery(period, filters), size, zone)


def _fits(period, size, zone):
    try:
        split_into_buckets(period, size, zone)
    except Invalid:
        return False
    return True


@unhurried
@given(log=histories.histories(max_size=10))
async def test_the_start_of_data_is_that_of_the_domain(stored, log):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    since = await stored.traffic.data_since(SITE)

    assert since == await stored.oracle.data_since(SITE)
