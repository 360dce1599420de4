"""Cohorts: columns answer what the function of the domain says of the same log."""

from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.changes import Arrivals, Origin
from footfall.domain.citations.positions import Positions
from footfall.domain.cohorts.cohorts import CohortPlan, FirstVisits, cohort_times
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.visits.session_list import SessionsQuery
from footfall.entrypoints.composition.reports import in_turns
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.contract.reports.test_arrivals import arrived
from tests.contract.reports.test_past_reports import ANY_LOG
from tests.generated import examples
from tests.histories import SITE, START, after, hit, record
from tests.stores.stored import MEMBER
from tests.zones import ZONES

unhurried = examples(120)
situations = st.fixed_dictionaries(
    {
        "log": histories.histories(max_size=60, visitors=5),
        "closed": st.integers(0, 60),
        "seed": st.integers(0, 1000),
    }
)


@st.composite
def plans(draw):
    """Generate a plan about the times of histories, most of them before now."""
    zone = parse_zone(draw(st.sampled_from(ZONES)))
    first = START.date() + timedelta(days=draw(st.integers(-3, 35)))
    days = Period.local_days(first, first + timedelta(days=draw(st.integers(0, 60))), zone)
    cut = timedelta(minutes=draw(st.sampled_from([0, 0, 0, 6, 29, 700])))
    now = START + draw(st.sampled_from([timedelta(hours=3), timedelta(days=40), timedelta(days=400)]))
    size = draw(st.sampled_from([BucketSize.DAY, BucketSize.DAY, BucketSize.WEEK, BucketSize.MONTH]))
    goal = draw(st.none() | EVERY_RULE.map(GoalQuery))
    return CohortPlan(Period(days.start + cut, days.end), size, zone, now, goal)


@unhurried
@given(
    situation=situations,
    plan=plans(),
    filters=st.lists(conditions.any_filters(), max_size=2),
)
async def test_counts_are_those_of_the_domain(node, situation, plan, filters):
    await node.stored.empty()
    await node.store(**situation)

    expected = await MemoryReports(node.stored.log).counts(SITE, plan, filters)

    assert await node.reports.cohorts.counts(SITE, plan, filters) == expected
    node.expect_no_failure()


@unhurried
@given(
    situation=situations,
    plan=plans().map(lambda plan: evolve(plan, size=BucketSize.MONTH)),
    filters=st.lists(conditions.any_filters(), max_size=1),
)
async def test_as_many_first_visits_are_listed_as_a_cohort_has_visitors(node, situation, plan, filters):
    await node.stored.empty()
    await node.store(**situation)
    counts = await MemoryReports(node.stored.log).counts(SITE, plan, filters)
    spans = [
        Period(max(part.start, plan.period.start), min(part.end, plan.period.end, plan.until))
        for part in cohort_times(plan).parts[: len(counts)]
    ]

    asked = [
        SessionsQuery(period=plan.period, filters=filters, first=FirstVisits(span, plan.goal), most=200)
        for span in spans
    ]
    listed = [await node.reports.sessions.listed(SITE, one) for one in asked]

    assert [len(sessions) for sessions in listed] == [count.visitors for count in counts]
    assert listed == [await MemoryReports(node.stored.log).listed(SITE, one) for one in asked]
    node.expect_no_failure()


async def test_of_visits_that_begin_at_once_the_one_that_came_first_is_the_first(node):
    log = record(
        *(
            hit(visitor_id=number, user_id="u", signed_visitor_id=-(2**63), country=country)
            for number, country in enumerate(["DE", "NP", "DE"], start=1)
        ),
        hit(after(days=1), visitor_id=9, user_id="u", signed_visitor_id=-(2**63)),
    )
    plan = CohortPlan(
        histories.days("2026-03-28", "2026-03-28"), BucketSize.DAY, parse_zone("UTC"), after(days=9)
    )
    await node.stored.empty()
    await node.store(log, 2, 1)

    for country, visitors in (("DE", 1), ("NP", 0)):
        filters = [conditions.filter_of("country", "equals", country)]
        [cohort] = await node.reports.cohorts.counts(SITE, plan, filters)
        assert (cohort.visitors, cohort.returned[0]) == (visitors, visitors)
        assert [cohort] == await MemoryReports(node.stored.log).counts(SITE, plan, filters)


@pytest.mark.parametrize("size", [BucketSize.DAY, BucketSize.WEEK, BucketSize.MONTH])
async def test_the_largest_numbers_of_cohorts_are_counted(node, size):
    log = record(*(hit(START + timedelta(days=9 * number), visitor_id=number % 3) for number in range(40)))
    longest = {BucketSize.DAY: 300, BucketSize.WEEK: 2_000, BucketSize.MONTH: 9_000}[size]
    period = Period(START - timedelta(days=longest - 40), START + timedelta(days=38))
    plan = CohortPlan(period, size, parse_zone("Europe/Berlin"), START + timedelta(days=500))
    await node.stored.empty()
    await node.store(log, 20, 1)

    for asked in (plan, evolve(plan, goal=GoalQuery(PathRule("/**")))):
        found = await node.reports.cohorts.counts(SITE, asked)
        assert found == await MemoryReports(node.stored.log).counts(SITE, asked)
        assert sum(one.visitors for one in found) == 3
    node.expect_no_failure()


@examples(40)
@given(
    log=ANY_LOG,
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    plan=plans(),
    filters=st.lists(conditions.filters(), max_size=1),
    seed=st.integers(0, 1000),
    origins=st.none() | st.sets(st.sampled_from([Origin.IN_TIME, Origin.LATE])),
)
async def test_counts_of_the_past_are_those_of_the_domain(node, log, cuts, plan, filters, seed, origins):
    stored, (cut, closed) = node.stored, cuts
    await stored.empty()
    log = arrived(log, seed)[0]
    await node.store(log, round(len(log) * closed), seed)
    traffic = max(log[min(int(cut * len(log)), len(log) - 1)].position, log[0].position)
    question = PastQuestion(
        positions=Positions(SITE, START, 0, traffic),
        span=cohort_times(plan).read,
        arrivals=None if origins is None else Arrivals(frozenset(origins), log[-1].position),
    )

    async with (
        PostgresReportSnapshots(stored.reading, stored.past, in_turns(node.turns, node.columns)).past(
            question, MEMBER
        ) as past,
        MemoryReportSnapshots(stored.log, stored.journal).past(question) as oracle,
    ):
        found = await past.cohorts.counts(SITE, plan, filters)
        expected = await oracle.cohorts.counts(SITE, plan, filters)

    assert found == expected
    node.expect_no_failure()
