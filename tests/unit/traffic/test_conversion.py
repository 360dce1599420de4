"""Number and list of the sessions that reached a goal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, Goal, PathRule
from footfall.domain.goals.matching import matches
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import (
    Conversions,
    GoalOrder,
    GoalReport,
    GoalSort,
    converted_sessions,
    count_conversions,
    parse_goal_order,
    sort_goals,
)
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.session import session_ids, sessionize
from tests.conditions import RULES, filters
from tests.histories import after, days, event, histories, hit, periods, record

DAY = days("2026-03-28", "2026-03-28")


def test_session_counts_as_one_conversion_despite_repetition():
    log = record(hit(pathname="/thanks"), hit(pathname="/thanks"), hit(visitor_id=2))

    (thanks,) = count_conversions([PathRule("/thanks")], log, DAY)

    assert thanks == Conversions(1, 2, sessions_with_pageviews=2)
    assert thanks.rate == 0.5


def test_hits_outside_the_period_do_not_convert():
    midnight = DAY.end
    log = record(hit(after(hours=3, minutes=50)), hit(midnight, pathname="/thanks"))

    before, since = (
        count_conversions([PathRule("/thanks")], log, period)[0]
        for period in (DAY, Period(midnight, after(days=2)))
    )

    assert before == Conversions(0, 1, sessions_with_pageviews=1)
    assert since == Conversions(1, 1, sessions_with_pageviews=1)


def test_without_sessions_the_rate_is_zero():
    (thanks,) = count_conversions([PathRule("/thanks")], [], DAY)

    assert thanks.rate == 0


def test_filters_choose_the_sessions_of_both_numbers():
    log = record(
        hit(visitor_id=1, country="DE", pathname="/thanks"),
        hit(visitor_id=2, country="DE"),
        hit(visitor_id=3, country="NP", pathname="/thanks"),
    )
    german = Filter("country", FilterType.EQUALS, ("DE",))

    (thanks,) = count_conversions([PathRule("/thanks")], log, DAY, [german])

    assert thanks == Conversions(1, 2, sessions_with_pageviews=2)


def test_sessions_that_converted_come_latest_end_first_and_ties_by_the_higher_id():
    log = record(
        event("signup", after(minutes=1), visitor_id=1),
        event("signup", after(minutes=2), visitor_id=2),
        event("signup", after(minutes=2), visitor_id=3),
        event("other", after(minutes=3), visitor_id=4),
    )

    sessions = converted_sessions(EventRule("signup"), log, DAY)

    assert [session.session_id for session in sessions] == [3, 2, 1]


@given(
    log=histories(),
    period=periods(),
    rules=st.lists(RULES, max_size=3),
    conditions=st.lists(filters(), max_size=2),
)
def test_conversions_are_the_sessions_that_converted(log, period, rules, conditions):
    counted = count_conversions(rules, log, period, conditions)

    listed = [converted_sessions(rule, log, period, conditions) for rule in rules]
    assert [one.conversions for one in counted] == [len(sessions) for sessions in listed]
    assert all(0 <= one.rate <= 1 for one in counted)


@given(log=histories(), period=periods(), rule=RULES)
def test_conversions_can_be_counted_hit_by_hit(log, period, rule):
    ids = session_ids(log)
    inside = [recorded for recorded in log if period.start <= recorded.hit.occurred_at < period.end]

    (counted,) = count_conversions([rule], log, period)

    converted = {ids[recorded.position] for recorded in inside if matches(rule, recorded.hit)}
    sessions = {ids[recorded.position] for recorded in inside}
    viewed = {ids[recorded.position] for recorded in log if recorded.hit.type is HitType.PAGEVIEW}
    assert counted == Conversions(
        len(converted), len(sessions), sessions_with_pageviews=len(sessions & viewed)
    )


@given(log=histories(), rule=RULES)
def test_sessions_that_converted_are_whole_sessions(log, rule):
    sessions = converted_sessions(rule, log, days("2020-01-01", "2030-01-01"))

    assert {session.session_id: session for session in sessions}.items() <= {
        session.session_id: session for session in sessionize(log)
    }.items()


def report(goal_id, name, rule=PathRule("/"), *, minutes=0, conversions=0):  # noqa: B008 - a frozen value
    goal = Goal(goal_id=goal_id, site_id=1, name=name, rule=rule)
    return GoalReport(goal, after(minutes=minutes), Conversions(conversions, 10))


REPORTS = [
    report(3, "beta", EventRule("x"), minutes=1, conversions=5),
    report(1, "Alpha", minutes=2, conversions=5),
    report(2, "alpha", minutes=2, conversions=7),
]


@pytest.mark.parametrize(
    ("sort", "ascending", "descending"),
    [
        ("createdAt", [3, 1, 2], [1, 2, 3]),
        ("name", [1, 2, 3], [3, 2, 1]),
        ("goalType", [3, 1, 2], [1, 2, 3]),
        ("goalId", [1, 2, 3], [3, 2, 1]),
        ("total_conversions", [1, 3, 2], [2, 1, 3]),
        ("conversion_rate", [1, 3, 2], [2, 1, 3]),
    ],
)
def test_goals_sort_by_anything_and_ties_by_id(sort, ascending, descending):
    orders = [GoalOrder(GoalSort(sort), descending=reverse) for reverse in (False, True)]

    ids = [[one.goal.goal_id for one in sort_goals(REPORTS, order)] for order in orders]

    assert ids == [ascending, descending]


def test_the_newest_goal_comes_first_unless_asked_otherwise():
    assert parse_goal_order({}) == GoalOrder(GoalSort.CREATED_AT, descending=True)
    assert parse_goal_order({"sort": "name", "order": "asc"}) == GoalOrder(GoalSort.NAME, descending=False)


def test_unknown_order_is_refused_with_the_accepted_ones():
    with pytest.raises(Invalid) as refusal:
        parse_goal_order({"sort": "luck", "order": "DESC"})

    sorts = "createdAt, name, goalType, goalId, total_conversions, conversion_rate"
    assert refusal.value.field_errors == {
        "sort": [f"must be one of {sorts}"],
        "order": ["must be one of asc, desc"],
    }
