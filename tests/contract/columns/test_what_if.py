"""What-ifs: rows and columns answer what the function of the domain says of the same log."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.postgres.reports.refused_hits import PostgresRefusedHits
from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.exceptions import Invalid
from footfall.domain.funnel_reports.funnel_change import FunnelChange
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.periods.buckets import MAX_BUCKETS, BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.sites.configuration import ListSetting
from footfall.domain.traffic.exclusion_what_if import Exclusion
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import catch_up

unhurried = examples(100)
situations = st.fixed_dictionaries(
    {"log": histories.histories(max_size=60), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)
steps = st.builds(
    FunnelSteps,
    st.lists(EVERY_RULE, min_size=1, max_size=4).map(tuple),
    st.sampled_from([None, None, 1, 2, 30]),
)
changes = st.builds(FunnelChange, steps, steps)
HOSTS = ("Shop.Example", "x", None)
EXCLUSIONS = st.sampled_from(
    [
        Exclusion(ListSetting.EXCLUDED_COUNTRIES, ("DE",)),
        Exclusion(ListSetting.EXCLUDED_COUNTRIES, ("NP", "DE")),
        Exclusion(ListSetting.EXCLUDED_PATHS, ("/a*", "/**/b")),
        Exclusion(ListSetting.EXCLUDED_PATHS, ("**",)),
        Exclusion(ListSetting.EXCLUDED_HOSTS, ("*example*", "x")),
        Exclusion(ListSetting.EXCLUDED_HOSTS, ("shop.**",)),
    ]
)


@unhurried
@given(
    situation=situations,
    change=changes,
    period=histories.periods(),
    zone=st.sampled_from(["UTC", "Asia/Kolkata", "America/New_York"]),
    filters=st.lists(conditions.any_filters(), max_size=1),
)
async def test_a_what_if_is_that_of_the_domain(node, situation, change, period, zone, filters):
    assume(period.length.days < MAX_BUCKETS)
    await node.stored.empty()
    await node.store(**situation)
    days = [one.period for one in split_into_buckets(period, BucketSize.DAY, ZoneInfo(zone))]
    asked = (SITE, change, ReportQuery(period, filters), days)
    expected = await MemoryReports(node.stored.log).compare(*asked)

    assert await node.what_ifs.compare(*asked) == expected
    node.expect_no_failure()


@unhurried
@given(
    log=histories.histories(max_size=60),
    exclusion=EXCLUSIONS,
    period=histories.periods(),
    late=st.integers(0, 3_000),
)
async def test_refusals_are_those_of_the_domain(stored, log, exclusion, period, late):
    assume(period.length.days < MAX_BUCKETS)
    log = [_received(one, late) for one in log]
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)
    days = [one.period for one in split_into_buckets(period, BucketSize.DAY, ZoneInfo("UTC"))]
    asked = (SITE, exclusion, period, days)

    assert await stored.reports.what_ifs.refused(*asked) == await MemoryReports(stored.log).refused(*asked)


async def test_patterns_have_some_seconds_for_the_values_of_a_period(stored):
    await stored.append(histories.record(histories.hit(histories.START)))
    await catch_up(stored.projector)
    visits = PostgresRefusedHits(stored.connections, compile_patterns, seconds=-1.0)
    period = Period(histories.START - timedelta(days=1), histories.START + timedelta(days=1))
    exclusion = Exclusion(ListSetting.EXCLUDED_PATHS, ("/*/a",))

    with pytest.raises(Invalid, match="excludedPaths: patterns have 2 seconds"):
        await visits.refused(SITE, exclusion, period, [period])


def _received(recorded, late):
    host = HOSTS[recorded.position % len(HOSTS)]
    return evolve(recorded, hit=evolve(recorded.hit, received_at=_arrival(recorded, late), hostname=host))


def _arrival(recorded, late):
    """Return when a hit arrived: some of them up to two days after they happened, some a few minutes before."""
    minutes = recorded.position * late % 2_880
    return recorded.hit.occurred_at + timedelta(minutes=minutes - 4)
