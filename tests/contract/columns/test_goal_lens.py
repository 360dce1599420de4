"""Reports on the sessions that reached a goal: rows and columns answer what the functions of the domain say."""

from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.domain.funnels.steps import LastStep
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import DIMENSIONS
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import KEYED, SITE, START, after, error, event, hit, record

TWO_VISITORS = record(
    event("signup", visitor_id=1),
    error("x", visitor_id=1),
    hit(kind=HitType.PERFORMANCE, visitor_id=1, lcp=1.0),
    error("x", visitor_id=2),
    hit(kind=HitType.PERFORMANCE, visitor_id=2, lcp=1.0),
)
# Values of a property that rules tell apart, and pageviews that have them, another one, or none.
VALUES = ["pro", 12, "12", "12.00", 0.1, ".1", True, "true", str(2**53 + 1), 2.0**53]
GIVEN = [None, {}, {"other": "pro"}, *({"plan": value} for value in [*VALUES, None, [12], {"a": "pro"}])]
WITH_PROPERTY = [PathRule(path, "plan", value) for path, value in product(["/*", "/*/1", "/"], VALUES)]
ALL = Page(1, 200)
unhurried = examples(40)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 5))
# How much of the log is there when some days are closed, and whether the goals are saved.
situations = st.fixed_dictionaries(
    {
        "log": histories.histories(max_size=60),
        "closed": st.integers(0, 60),
        "seed": st.integers(0, 1000),
        "saved": st.booleans(),
    }
)
filters = st.lists(conditions.filters(), max_size=1)
# Rows with a text in them, or those of another period with their ranks.
TEXTS = ["", "/", "DE", "/blog", "desktop", "_"]
choices = st.builds(RowChoice, containing=st.sampled_from(TEXTS)) | st.builds(
    RowChoice, among=st.lists(st.sampled_from(TEXTS), max_size=4).map(tuple)
)


@unhurried
@given(
    data=st.data(),
    situation=situations,
    rules=st.lists(EVERY_RULE, min_size=1, max_size=3),
    period=histories.periods(),
    filters=filters,
)
async def test_a_filter_by_goal_selects_the_sessions_of_the_domain(
    node, data, situation, rules, period, filters
):
    goals = await _stored(node, situation, rules)
    asked = [*filters, data.draw(conditions.goal_filters(goals=goals))]
    expected = await node.stored.oracle.overview(SITE, ReportQuery(period, asked))

    assert await node.stored.traffic.overview(SITE, ReportQuery(period, asked)) == expected
    assert await node.traffic.overview(SITE, ReportQuery(period, asked)) == expected
    node.expect_no_failure()


@unhurried
@given(
    situation=situations,
    rules=st.lists(EVERY_RULE, min_size=1, max_size=2),
    by=st.sampled_from([*DIMENSIONS, *KEYED]),
    period=histories.periods(),
    page=pages,
    filters=filters,
    choice=choices,
)
async def test_conversions_of_each_value_are_those_of_the_domain(
    node, situation, rules, by, period, page, filters, choice
):
    goals = await _stored(node, situation, rules)
    asked = (SITE, by, ReportQuery(period, filters), page)
    wanted = {"goal": goals[0], "choice": choice}
    expected = await MemoryBreakdowns(node.stored.log).break_down(*asked, **wanted)

    assert await node.breakdowns.break_down(*asked, **wanted) == expected
    node.expect_no_failure()


@pytest.mark.parametrize("saved", [True, False])
async def test_pageviews_satisfy_rules_with_a_property_as_in_the_domain(node, saved):
    await node.stored.empty()
    goals = [(await node.stored.define(rule))[1] if saved else GoalQuery(rule) for rule in WITH_PROPERTY]
    kinds = [HitType.PAGEVIEW, HitType.CUSTOM_EVENT]
    hits = [
        hit(after(minutes=place % 5), kind, visitor_id=place, pathname=path, event_name="/", properties=given)
        for place, (kind, path, given) in enumerate(product(kinds, ["/blog/1", "/"], GIVEN), start=1)
    ]
    met = [error(f"of {one.visitor_id}", one.occurred_at, visitor_id=one.visitor_id) for one in hits]
    log = record(*hits, *met)
    await node.store(log, len(log) // 2, 5)
    whole, some = histories.days("2026-03-27", "2026-03-30"), [Filter("country", FilterType.EQUALS, ("",))]

    for period in (whole, Period(START, after(minutes=3))):
        for filters in ((), some):
            expected = await node.stored.oracle.count_conversions(SITE, goals, ReportQuery(period, filters))
            assert await node.goals.count_conversions(SITE, goals, ReportQuery(period, filters)) == expected
            assert 0 < expected[0].conversions < expected[0].sessions
    for goal in goals:
        chosen = [Filter("goal", FilterType.EQUALS, ("1",), (goal,))]
        expected = await node.stored.oracle.overview(SITE, ReportQuery(whole, chosen))
        assert await node.stored.traffic.overview(SITE, ReportQuery(whole, chosen)) == expected
        assert await node.traffic.overview(SITE, ReportQuery(whole, chosen)) == expected
        for condition in (*chosen, last_step_of(goal.rule)):
            new = await node.stored.errors.new(SITE, ReportQuery(whole, [condition]), ALL)
            assert new == await node.stored.error_oracle.new(SITE, ReportQuery(whole, [condition]), ALL)
    node.expect_no_failure()


async def test_every_report_takes_a_filter_by_goal(node):
    await node.stored.empty()
    goal = (await node.stored.define(EventRule("signup")))[1]
    await node.store(TWO_VISITORS, len(TWO_VISITORS), 3)
    chosen = [Filter("goal", FilterType.EQUALS, ("1",), (goal,))]
    page, query = Page(1, 5), ReportQuery(histories.days("2026-03-27", "2026-03-30"), chosen)

    series = await node.traffic.timeseries(SITE, query, BucketSize.WEEK, ZoneInfo("UTC"))
    vitals = await node.breakdowns.web_vitals(SITE, query, page)
    errors = await node.reports.error_names.summarize(SITE, query, page)
    sessions = await node.goals.converted_sessions(SITE, goal, query, page)

    assert sum(point.traffic.visitors for point in series) == 1
    assert (vitals[0].samples, errors.total, sessions.total) == (1, 1, 1)


def last_step_of(rule):
    """Return the filter by a funnel whose first step is of a rule, and whose second one no hit takes."""
    steps = (rule, EventRule("nothing"))
    return Filter("funnel", FilterType.EQUALS, ("1.1",), last_steps=(LastStep(steps, 1),))


async def _stored(node, situation, rules):
    """Store a log, and return what is to be asked about rules: goals with them, or rules without goals."""
    await node.stored.empty()
    goals = [(await node.stored.define(rule))[1] if situation["saved"] else GoalQuery(rule) for rule in rules]
    await node.store(situation["log"], situation["closed"], situation["seed"])
    return goals
