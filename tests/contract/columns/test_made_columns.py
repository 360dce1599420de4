"""Reports by columns over the files that the service makes itself, at every stage of a history."""

import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.properties import MemoryProperties
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import EventRule
from footfall.domain.journeys.journey import JourneyQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import KEYED, SITE
from tests.stores.made import Node
from tests.stores.stored import catch_up

ALL = Page(1, 50)
unhurried = examples(40)


@pytest.fixture
async def node(stored, tmp_path):
    node = Node(stored, tmp_path / "columns")
    yield node
    await node.engine.close()


@unhurried
@given(
    log=st.builds(histories.with_measures, histories.histories(max_size=60), st.integers(0, 1000)),
    period=histories.periods().filter(lambda period: period.length.days >= 1),
    filters=st.lists(conditions.filters(), max_size=2),
    by=st.sampled_from([*DIMENSIONS, OUTBOUND, *KEYED]),
    seed=st.integers(0, 1000),
)
async def test_reports_are_those_of_the_domain_at_every_stage(node, log, period, filters, by, seed):
    chance = random.Random(seed)
    await node.empty()
    stages = sorted([chance.randint(0, len(log)), len(log)])

    for first, last in zip([0, *stages], stages, strict=False):
        await node.stored.append(log[first:last])
        await catch_up(node.stored.projector)
        if chance.random() < 0.3:
            await _revoke(node, chance)
        await _expect_the_domain(node, period, filters, by)
        await node.make(chance)
        await _expect_the_domain(node, period, filters, by)

    assert set(node.metrics.reports) <= {""}


@unhurried
@given(
    log=histories.histories(max_size=60),
    steps=st.builds(
        FunnelSteps, st.lists(EVERY_RULE, min_size=2, max_size=4).map(tuple), st.sampled_from([None, 1, 30])
    ),
    event=st.sampled_from([EventRule("signup"), EventRule("order")]),
    period=histories.periods().filter(lambda period: 1 <= period.length.days < 70),
    filters=st.lists(conditions.filters(), max_size=1),
    seed=st.integers(0, 1000),
)
async def test_funnels_and_properties_are_those_of_the_domain(node, log, steps, event, period, filters, seed):
    chance = random.Random(seed)
    await node.empty()
    closed = chance.randint(0, len(log))
    await node.stored.append(log[:closed])
    await catch_up(node.stored.projector)
    await node.make(chance)
    await node.stored.append(log[closed:])
    await catch_up(node.stored.projector)
    funnels, properties = MemoryReports(node.stored.log), MemoryProperties(node.stored.log)

    query = ReportQuery(period, filters)
    asked = (SITE, steps, query)
    assert await node.reports.funnels.progress(*asked) == await funnels.progress(*asked)
    asked = (SITE, JourneyQuery(rule=steps.rules[0]), query)
    assert await node.reports.journeys.journeys(*asked) == await MemoryReports(node.stored.log).journeys(
        *asked
    )
    asked = (SITE, event, query, ALL)
    found = await node.reports.properties.properties(*asked)
    assert found == await properties.properties(*asked)
    for key in {one.key for one in found.properties}:
        asked = (SITE, event, key, query)
        assert await node.reports.properties.values(*asked, ALL) == await properties.values(*asked, ALL)
        size = (BucketSize.DAY, parse_zone("Asia/Kathmandu"))
        assert await node.reports.properties.series(*asked, *size) == await properties.series(*asked, *size)
    assert set(node.metrics.reports) <= {""}


async def _revoke(node, chance):
    start = histories.after(days=chance.randint(-2, 20))
    end = start + timedelta(days=chance.randint(1, 10))
    async with node.stored.connections.connection() as connection, connection.transaction():
        await revoke_days(connection, SITE, start=start, end=end)


async def _expect_the_domain(node, period, filters, by):
    oracle, breakdowns = node.stored.oracle, MemoryBreakdowns(node.stored.log)
    visitors = len(filters) == 1
    query = ReportQuery(period, filters)
    asked = (SITE, by, query, ALL)
    assert await node.reports.traffic.overview(SITE, query) == await oracle.overview(SITE, query)
    assert await node.reports.breakdowns.break_down(*asked, visitors=visitors) == await breakdowns.break_down(
        *asked, visitors=visitors
    )
    assert await node.reports.breakdowns.web_vitals(SITE, query, ALL) == await breakdowns.web_vitals(
        SITE, query, ALL
    )
