"""Reports by columns: what files and rows answer together is what the functions of the domain say of the same log."""

from datetime import timedelta
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND
from footfall.domain.traffic.filters import FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import filter_of
from tests.generated import examples
from tests.histories import KEYED, SITE, START, after, event, hit, record
from tests.zones import ZONES

unhurried = examples(80)
filters = st.lists(conditions.filters(), max_size=2)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 5))
# Texts of the histories and parts of them, in other letters too.
TEXTS = ["", "/", "DE", "de", "ORG/1", "mail", "HOME", "Home", "/blog", "/BLOG/1", "desktop", "%", "_", "'"]
choices = st.builds(RowChoice, containing=st.sampled_from(TEXTS)) | st.builds(
    RowChoice, among=st.lists(st.sampled_from(TEXTS), max_size=4).map(tuple)
)
kinds = st.fixed_dictionaries({"visitors": st.booleans(), "choice": choices})
logs = histories.histories(max_size=60)
measured_logs = st.builds(histories.with_measures, logs, st.integers(0, 1000))
# How much of the log is there when days are closed, and which days: what comes later changes some of them.
closed_after = st.integers(0, 60)
seeds = st.integers(0, 1000)
# Columns leave shorter periods to rows.
long_periods = histories.periods().filter(lambda period: period.length.days >= 1)


@unhurried
@given(log=measured_logs, period=long_periods, filters=filters, closed=closed_after, seed=seeds)
async def test_the_overview_is_that_of_the_domain(node, log, period, filters, closed, seed):
    await _store(node, log, closed, seed)

    found = await node.traffic.overview(SITE, ReportQuery(period, filters))

    assert found == await node.stored.oracle.overview(SITE, ReportQuery(period, filters))
    node.expect_no_failure()


@unhurried
@given(
    log=measured_logs,
    period=histories.periods(),
    gap=st.sampled_from([timedelta(hours=hours) for hours in (0, 5, 72, 2000, -1)]),
    part=st.sampled_from([1.0, 0.4, 0.0]),
    filters=filters,
    closed=closed_after,
    seed=seeds,
)
async def test_overviews_of_compared_periods_are_those_of_the_domain(
    node, log, period, gap, part, filters, closed, seed
):
    await _store(node, log, closed, seed)
    start = period.start - gap - period.length
    compared = [period, Period(start, start + period.length * part)]

    found = await node.traffic.overviews(SITE, compared, filters)

    assert found == await node.stored.oracle.overviews(SITE, compared, filters)
    node.expect_no_failure()


@unhurried
@given(
    log=measured_logs,
    period=long_periods.filter(lambda period: period.length.days < 70),
    size=st.sampled_from([BucketSize.HOUR, BucketSize.DAY, BucketSize.WEEK, BucketSize.MONTH]),
    zone=st.sampled_from(ZONES).map(parse_zone),
    filters=filters,
    closed=closed_after,
    seed=seeds,
)
async def test_a_time_series_is_that_of_the_domain(node, log, period, size, zone, filters, closed, seed):
    await _store(node, log, closed, seed)

    found = await node.traffic.timeseries(SITE, ReportQuery(period, filters), size, zone)

    assert found == await node.stored.oracle.timeseries(SITE, ReportQuery(period, filters), size, zone)
    node.expect_no_failure()


@unhurried
@given(log=logs, period=histories.periods(), filters=filters, closed=closed_after, seed=seeds)
async def test_selected_sessions_are_those_of_the_domain(node, log, period, filters, closed, seed):
    await _store(node, log, closed, seed)

    count = await node.traffic.count_sessions(SITE, ReportQuery(period, filters))

    assert count == await node.stored.oracle.count_sessions(SITE, ReportQuery(period, filters))
    node.expect_no_failure()


@unhurried
@given(
    log=logs,
    by=st.sampled_from([*DIMENSIONS, OUTBOUND, *KEYED]),
    period=long_periods,
    page=pages,
    filters=filters,
    kind=kinds,
    closed=closed_after,
    seed=seeds,
)
async def test_a_breakdown_is_that_of_the_domain(node, log, by, period, page, filters, kind, closed, seed):
    await _store(node, [_clicking(one) for one in log], closed, seed)
    asked = (SITE, by, ReportQuery(period, filters), page)

    found = await node.breakdowns.break_down(*asked, **kind)

    assert found == await MemoryBreakdowns(node.stored.log).break_down(*asked, **kind)
    node.expect_no_failure()


@unhurried
@given(
    log=measured_logs,
    period=long_periods,
    page=pages,
    filters=filters,
    choice=choices,
    closed=closed_after,
    seed=seeds,
)
async def test_pages_are_those_of_the_domain(node, log, period, page, filters, choice, closed, seed):
    await _store(node, log, closed, seed)
    asked = (SITE, ReportQuery(period, filters), page)

    found = await node.breakdowns.pages(*asked, choice=choice)

    assert found == await MemoryBreakdowns(node.stored.log).pages(*asked, choice=choice)
    node.expect_no_failure()


@unhurried
@given(
    log=logs,
    period=long_periods,
    page=pages,
    filters=filters,
    containing=st.sampled_from(TEXTS),
    closed=closed_after,
    seed=seeds,
)
async def test_web_vitals_are_those_of_the_domain(node, log, period, page, filters, containing, closed, seed):
    await _store(node, [_measured(one) for one in log], closed, seed)
    asked, choice = (SITE, ReportQuery(period, filters), page), RowChoice(containing=containing)

    found = await node.breakdowns.web_vitals(*asked, choice=choice)

    assert found == await MemoryBreakdowns(node.stored.log).web_vitals(*asked, choice=choice)
    node.expect_no_failure()


async def _store(node, log, closed, seed):
    await node.stored.empty()
    await node.store(log, closed, seed)


def _clicking(recorded):
    if recorded.hit.type is not HitType.OUTBOUND:
        return recorded
    url = f"https://example.org/{recorded.position % 3}"
    return evolve(recorded, hit=evolve(recorded.hit, properties={"url": url}))


def _measured(recorded):
    number = recorded.position * 37 % 11
    kind = HitType.PERFORMANCE if number % 3 else recorded.hit.type
    measures = {"lcp": number * 100.5, "cls": number / 10 + 0.00004 if number % 2 else None, "inp": 0.0}
    return evolve(recorded, hit=evolve(recorded.hit, type=kind, **measures))


# Half of it by rows and half by columns, and all by one of them.
@pytest.mark.parametrize(
    "closed", [3, pytest.param(0, marks=pytest.mark.thorough), pytest.param(6, marks=pytest.mark.thorough)]
)
async def test_a_filter_by_name_finds_sessions_of_custom_events_from_every_source(node, closed):
    failed = {"kind": HitType.ERROR, "event_name": "TypeError", "properties": {"message": "x"}}
    times = (START, after(days=1))
    log = record(
        *(hit(at, **failed, visitor_id=1) for at in times),
        *(event("paid", at, visitor_id=2) for at in times),
        *(hit(at, visitor_id=3) for at in times),
    )
    period, page = Period(START, after(days=2)), Page(1, 10)
    await _store(node, log, closed, 1)
    for kind, value in product(FilterType, ("TypeError", "E", "paid", "", "[A-Z]")):
        filters = [filter_of("event_name", kind, value)]

        by_columns = await node.traffic.overview(SITE, ReportQuery(period, filters))
        by_rows = await node.stored.traffic.overview(SITE, ReportQuery(period, filters))

        assert (
            by_columns == by_rows == await node.stored.oracle.overview(SITE, ReportQuery(period, filters))
        ), filters
        if not kind.negative:
            listed = await node.breakdowns.break_down(SITE, "event_name", ReportQuery(period, filters), page)
            assert by_columns.sessions == listed.count, filters
    node.expect_no_failure()
