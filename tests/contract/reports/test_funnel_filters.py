"""Filters by the last step of a funnel: what the stores select is what the function of the domain selects."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from footfall.application.reports.catalogue.funnels import reached
from footfall.domain.funnel_reports.funnel_report import funnel_progress
from footfall.domain.funnels.steps import FunnelSteps, LastStep
from footfall.domain.goals.goal import PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import FUNNEL, Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE, START, after, error, hit, record
from tests.stores.stored import catch_up

ALL = Page(1, 100)
DAY = Period(START, after(days=1))
STEPS = (PathRule("/a"), PathRule("/b"), PathRule("/c"))


def by_last_step(number, kind=FilterType.EQUALS):
    return Filter(FUNNEL, kind, (f"1.{number}",), last_steps=(LastStep(STEPS, number),))


async def store(stored, log):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)


@examples(60)
@given(
    log=histories.histories(max_size=60),
    period=histories.periods(),
    filters=st.lists(conditions.funnel_filters(), min_size=1, max_size=2),
)
async def test_selected_sessions_are_those_of_the_domain(stored, log, period, filters):
    await store(stored, log)

    overview = await stored.traffic.overview(SITE, ReportQuery(period, filters))
    new = await stored.errors.new(SITE, ReportQuery(period, filters), ALL)

    assert overview == await stored.oracle.overview(SITE, ReportQuery(period, filters))
    assert new == await stored.error_oracle.new(SITE, ReportQuery(period, filters), ALL)


@examples(60)
@given(
    log=histories.histories(max_size=60),
    rules=st.lists(conditions.EVERY_RULE, min_size=2, max_size=4).map(tuple),
    period=histories.periods(),
)
async def test_as_many_sessions_reached_a_step_as_the_funnel_counts(stored, log, rules, period):
    await store(stored, log)
    steps = FunnelSteps(rules)

    for number, step in enumerate(funnel_progress(steps, log, period), start=1):
        traffic = await stored.traffic.overview(SITE, ReportQuery(period, [reached(steps, number)]))
        assert traffic.sessions == step.reached


def walks():
    """Return sessions that end their way with each step, some of them at one instant, and one without any step."""
    ways = {1: "a", 2: "ab", 3: "abc", 4: "ba", 5: "acb", 6: "aab", 7: "b", 8: "abab", 9: "cba"}
    hits = [
        one
        for visitor, way in ways.items()
        for place, page in enumerate(way)
        for one in (
            hit(after(minutes=place), pathname=f"/{page}", visitor_id=visitor),
            error("broken", after(minutes=place), visitor_id=visitor),
        )
    ]
    at_once = [hit(pathname=f"/{page}", visitor_id=10) for page in "abc"]
    return record(*hits, *at_once)


LAST = {1: {1, 4, 9}, 2: {2, 5, 6, 8}, 3: {3, 10}}


async def test_way_of_a_session_ends_with_one_step(stored):
    await store(stored, walks())

    for number, kind in product(LAST, (FilterType.EQUALS, FilterType.NOT_EQUALS)):
        filters = [by_last_step(number, kind)]
        traffic = await stored.traffic.overview(SITE, ReportQuery(DAY, filters))
        found = await stored.errors.occurrences(SITE, "broken", ReportQuery(DAY, filters), ALL)

        visitors = {occurrence.hit.visitor_id for occurrence in found.occurrences}
        wanted = LAST[number] if kind is FilterType.EQUALS else set(range(1, 11)) - LAST[number]
        assert traffic.sessions == len(wanted)
        assert visitors == wanted - {10}
        assert found == await stored.error_oracle.occurrences(SITE, "broken", ReportQuery(DAY, filters), ALL)


async def test_steps_before_the_period_are_not_taken_in_it(stored):
    await store(stored, record(hit(pathname="/a"), hit(after(minutes=10), pathname="/b")))
    later = Period(after(minutes=5), after(days=1))

    assert (await stored.traffic.overview(SITE, ReportQuery(DAY, [by_last_step(2)]))).sessions == 1
    assert (await stored.traffic.overview(SITE, ReportQuery(later, [by_last_step(2)]))).sessions == 0
    assert (await stored.traffic.overview(SITE, ReportQuery(later, [by_last_step(1)]))).sessions == 0
