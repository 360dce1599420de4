"""Journeys: columns answer what the function of the domain says of the same log."""

from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import event, given, settings
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.domain.journeys import journey
from footfall.domain.journeys.journey import MOST_NAMES, JourneyQuery
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.tracking.engagement import Measure
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.visits.session_list import SessionsQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE, START, after, hit, record, recorded

situations = st.fixed_dictionaries(
    {"log": histories.journey_histories(), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)
measured = situations.map(lambda of: {**of, "log": histories.with_measures(of["log"], of["seed"])})
# Most are about all of the log; those of others can cut it, and have all kinds of filters.
around = st.just(Period(START - timedelta(days=1), after(days=1)))
queries = (
    conditions.journey_queries().map(lambda query: evolve(query, chosen=(), ended=None))
    | conditions.journey_queries()
)
# Two steps of each number are named, so that small logs have others.
few_names = queries.map(lambda query: evolve(query, most_names=2))
places = st.none() | st.integers(0, 20)
filters = st.lists(conditions.any_filters(), max_size=1)


def choosing(query, log, period, filters, place):
    """Return the query with the step at a place among those that sessions took, or as it is."""
    taken = [
        one
        for one in journey.journeys(
            evolve(query, chosen=()), histories.hits_of(log), period, filters
        ).passages
        if one.target
    ]
    if not taken or place is None:
        return query
    chosen = taken[place % len(taken)]
    return evolve(query, chosen=((chosen.number, chosen.target),))


@examples(200)
@given(
    situation=situations | measured,
    query=few_names,
    place=places,
    period=around | around | histories.periods(),
    filters=st.just([]) | st.just([]) | filters,
)
async def test_journeys_are_those_of_the_domain(node, situation, query, place, period, filters):
    await node.stored.empty()
    await node.store(**situation)
    query = choosing(query, situation["log"], period, filters, place)
    asked = (SITE, query, ReportQuery(period, filters))
    expected = await MemoryReports(node.stored.log).journeys(*asked)
    event(f"has steps: {bool(expected.passages)}")
    event(f"has others: {any(one.target is None for one in expected.passages)}")
    event(f"has engagement: {bool(expected.engaged)}")

    assert await node.journeys.journeys(*asked) == expected
    node.expect_no_failure()


@examples(80)
@given(situation=measured, other=situations, query=queries, period=around, later=around | histories.periods())
async def test_journeys_by_the_names_of_others_are_those_of_the_domain(
    node, situation, other, query, period, later
):
    await node.stored.empty()
    await node.store(**situation)
    named = journey.journeys(query, other["log"], period).named
    asked = (SITE, evolve(query, named=named), ReportQuery(later))

    assert await node.journeys.journeys(*asked) == await MemoryReports(node.stored.log).journeys(*asked)
    node.expect_no_failure()


async def test_views_of_a_step_in_a_row_are_engaged_and_scrolled_together(node):
    await node.stored.empty()
    pages = ["/a/1", "/a/2", "/b", "/a/3", "/b"]
    views = [
        hit(after(minutes=minute), pathname=path, pageview_key=minute)
        for minute, path in enumerate(pages, start=1)
    ]
    reports = [
        Measure(
            site_id=SITE,
            pageview_key=key,
            received_at=after(minutes=9),
            engaged_ms=ms,
            scroll_percent=percent,
        )
        for key, ms, percent in (
            (1, 1_000, 20),
            (2, 4_000, 41),
            (3, None, 90),
            (4, 7_000, None),
            (5, 0, 0),
        )
    ]
    await node.store(log=recorded(*views, *reports), closed=5, seed=1)
    query = JourneyQuery(groups=PageGroups((GroupRule("A", "/a/*"),)))

    found = await node.journeys.journeys(SITE, query, ReportQuery(Period(START, after(days=1))))

    engaged = {number: (one.pageviews, one.time) for (number, _), one in found.engaged.items()}
    scrolled = {number: (one.scrolled, one.depth) for (number, _), one in found.engaged.items()}
    assert engaged == {1: (2, 2.5), 2: (0, None), 3: (1, 7.0), 4: (1, 0.0)}
    assert scrolled == {1: (2, 30.5), 2: (1, 90.0), 3: (0, None), 4: (1, 0.0)}
    assert found == await MemoryReports(node.stored.log).journeys(
        SITE, query, ReportQuery(Period(START, after(days=1)))
    )


@examples(100)
@given(
    situation=situations,
    query=few_names,
    place=places,
    period=around | around | histories.periods(),
    filters=st.just([]) | st.just([]) | filters,
)
async def test_as_many_sessions_are_listed_as_journeys_count(node, situation, query, place, period, filters):
    await node.stored.empty()
    await node.store(**situation)
    query = choosing(query, situation["log"], period, filters, place)
    report = await MemoryReports(node.stored.log).journeys(SITE, query, ReportQuery(period, filters))
    counted = {query: report.sessions} | {
        evolve(query, chosen=tuple(sorted({**dict(query.chosen), number: one.step}.items()))): one.sessions
        for number in report.numbers
        for one in report.steps(number)
        if one.step is not None
    }
    counted |= {
        evolve(query, other_than=(number, report.named[number - 1])): one.sessions
        for number in report.numbers
        for one in report.steps(number)
        if one.step is None and report.named[number - 1]
    }
    if query.ended is None:
        counted |= {evolve(query, ended=number - 1): report.ended_before(number) for number in report.numbers}

    asked = [SessionsQuery(period=period, filters=filters, journey=one, most=200) for one in counted]
    listed = [await node.reports.sessions.listed(SITE, one) for one in asked]

    assert [len(sessions) for sessions in listed] == list(counted.values())
    assert listed == [await MemoryReports(node.stored.log).listed(SITE, one) for one in asked]
    node.expect_no_failure()


def test_most_generated_histories_have_steps_and_some_others():
    found = []

    # The same in each run: of a few, or by chance, hardly any have others.
    @settings(max_examples=200, derandomize=True, database=None)
    @given(situation=situations, query=conditions.journey_queries())
    def collect(situation, query):
        found.append(
            journey.journeys(
                evolve(query, most_names=2),
                situation["log"],
                Period(START - timedelta(days=1), after(days=1)),
            )
        )

    collect()

    with_steps = [report for report in found if report.passages]
    with_others = [one for one in with_steps if any(passage.target is None for passage in one.passages)]
    assert len(with_steps) > len(found) / 5
    assert len(with_others) > len(found) / 50


@pytest.mark.parametrize("groups", [(), (GroupRule("A", "/next/1*"), GroupRule("/next/05", "/next/09"))])
async def test_names_decide_between_pages_that_as_many_sessions_took(node, groups):
    await node.stored.empty()
    paths = [f"/next/{number:02}" for number in range(MOST_NAMES + 4)]
    # Stored in another order than that of the names.
    pages = [
        hit(after(minutes=minute), visitor_id=visitor, pathname=path)
        for visitor, next_page in enumerate(reversed(paths), start=1)
        for minute, path in enumerate(["/", next_page])
    ]
    await node.store(log=record(*pages), closed=30, seed=1)
    query = JourneyQuery(groups=PageGroups(groups))

    found = await node.journeys.journeys(SITE, query, ReportQuery(Period(START, after(days=1))))

    assert found == journey.journeys(query, record(*pages), Period(START, after(days=1)))
    assert len(found.steps(2)) == MOST_NAMES + 1
    node.expect_no_failure()
