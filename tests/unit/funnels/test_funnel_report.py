"""Progress in a funnel, as the domain defines it."""

from datetime import timedelta

from footfall.domain.funnel_reports.funnel_report import NextPath, StepProgress, funnel_progress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.traffic.filters import Filter, FilterType
from tests.histories import after, days, event, hit, record

PRICES, SIGNUP, ORDER = PathRule("/pricing"), EventRule("signup"), EventRule("order")
MONTH = days("2026-03-01", "2026-04-30")


def reached(log, *rules, within_days=None, period=MONTH, filters=()):
    found = funnel_progress(FunnelSteps(rules, within_days), log, period, filters)
    return [one.reached for one in found]


def test_steps_are_taken_in_order_with_other_hits_in_between():
    log = record(
        event("order", visitor_id=1),
        hit(after(minutes=1), visitor_id=1, pathname="/pricing"),
        hit(after(minutes=2), visitor_id=1, pathname="/docs"),
        event("signup", at=after(minutes=3), visitor_id=1),
        event("signup", visitor_id=2),
    )

    assert reached(log, PRICES, SIGNUP, ORDER) == [1, 1, 0]


def test_one_hit_takes_one_step():
    log = record(hit(pathname="/pricing"), hit(after(minutes=1), pathname="/pricing"))

    assert reached(log, PRICES, PRICES, PRICES) == [1, 1, 0]


def test_hits_of_one_instant_are_in_the_order_of_the_log_and_late_hits_in_that_of_their_times():
    log = record(event("signup"), hit(pathname="/pricing"), event("order", at=after(minutes=-1)))

    assert reached(log, SIGNUP, PRICES) == [1, 1]
    assert reached(log, PRICES, SIGNUP) == [1, 0]
    assert reached(log, ORDER, PRICES) == [1, 1]


def test_steps_of_a_visitor_may_be_taken_in_several_sessions_within_some_days_of_the_first():
    log = record(
        hit(pathname="/pricing"),
        event("signup", at=after(hours=24)),
        event("order", at=after(hours=24, microseconds=1)),
    )

    assert reached(log, PRICES, SIGNUP, ORDER) == [1, 0, 0]
    assert reached(log, PRICES, SIGNUP, ORDER, within_days=1) == [1, 1, 0]
    assert reached(log, PRICES, SIGNUP, ORDER, within_days=2) == [1, 1, 1]


def test_a_visitor_has_one_attempt_which_begins_with_the_first_hit_of_the_first_step():
    log = record(
        hit(pathname="/pricing"), hit(after(days=9), pathname="/pricing"), event("signup", at=after(days=9))
    )

    assert reached(log, PRICES, SIGNUP, within_days=7) == [1, 0]


def test_only_hits_of_the_period_in_selected_sessions_count():
    log = record(
        hit(visitor_id=1, pathname="/pricing", country="DE"),
        event("signup", at=after(minutes=20), visitor_id=1, country="DE"),
        hit(visitor_id=2, pathname="/pricing", country="NP"),
    )
    germans = [Filter("country", FilterType.EQUALS, ("DE",))]
    short = type(MONTH)(after(minutes=0), after(minutes=10))

    assert reached(log, PRICES, SIGNUP, filters=germans) == [1, 1]
    assert reached(log, PRICES, SIGNUP, period=short) == [2, 0]


def test_those_who_drop_off_have_a_next_page_or_leave():
    log = record(
        *(hit(visitor_id=number, pathname="/pricing") for number in range(1, 6)),
        hit(after(minutes=1), visitor_id=1, pathname="/docs"),
        hit(after(minutes=2), visitor_id=1, pathname="/"),
        hit(after(minutes=1), visitor_id=2, pathname=None),
        hit(after(minutes=1), visitor_id=3, pathname="/docs"),
        event("signup", at=after(minutes=5), visitor_id=5),
    )

    found = funnel_progress(FunnelSteps((PRICES, SIGNUP)), log, MONTH)

    paths = (NextPath("/docs", 2), NextPath("", 1))
    assert found == [StepProgress(5, timedelta(minutes=5), paths, left=1), StepProgress(1)]


def test_the_median_is_that_of_the_nearest_rank():
    log = record(
        *(hit(visitor_id=number, pathname="/pricing") for number in range(4)),
        *(event("signup", at=after(minutes=number * number), visitor_id=number) for number in range(1, 4)),
    )

    assert funnel_progress(FunnelSteps((PRICES, SIGNUP)), log, MONTH)[0].median == timedelta(minutes=4)
