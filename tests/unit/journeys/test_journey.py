"""Journeys: the steps of sessions after a page, an event or a goal, or before it."""

from datetime import timedelta

import pytest
from hypothesis import given

from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.journeys.journey import (
    MOST_NAMES,
    MOST_STEPS,
    JourneyQuery,
    JourneyStep,
    JourneyStepType,
    NamedStep,
    Passage,
    journeys,
)
from footfall.domain.periods.period import Period
from tests import conditions, histories
from tests.conditions import filter_of
from tests.histories import START, after, event, hit, record

PERIOD = Period(START, after(days=2))


def page(path):
    return JourneyStep(JourneyStepType.PAGE, path)


def named(name):
    return JourneyStep(JourneyStepType.EVENT, name)


def visit(*names, visitor=1, at=START):
    """Return the hits of a visitor, a minute apart: views of pages, and events, whose names have no slash."""
    return [
        (hit if name.startswith("/") or not name else event)(
            **({"pathname": name} if name.startswith("/") or not name else {"name": name}),
            at=at + minute * timedelta(minutes=1),
            visitor_id=visitor,
        )
        for minute, name in enumerate(names)
    ]


def steps_of(report):
    """Return the steps of each number with their sessions."""
    return [{one.step: one.sessions for one in report.steps(number)} for number in report.numbers]


def test_a_journey_has_the_pages_after_the_first_one_that_satisfies_the_rule():
    log = record(*visit("/", "/pricing", "/docs", "/signup", "/pricing", "/thanks"))

    report = journeys(JourneyQuery(rule=PathRule("/pricing")), log, PERIOD)

    assert report.sessions == 1
    assert steps_of(report) == [{page(path): 1} for path in ("/docs", "/signup", "/pricing", "/thanks")] + [
        {}
    ]


def test_a_journey_leads_back_from_the_first_hit_that_satisfies_the_rule():
    log = record(*visit("/", "/blog", "/docs", "/pricing", "/blog", "/pricing"))

    report = journeys(JourneyQuery(rule=PathRule("/pricing"), is_backward=True), log, PERIOD)

    assert steps_of(report) == [{page("/docs"): 1}, {page("/blog"): 1}, {page("/"): 1}, {}]


@pytest.mark.parametrize(
    ("is_backward", "expected"), [(False, ["/", "/blog", "/docs"]), (True, ["/docs", "/blog", "/"])]
)
def test_without_a_rule_a_journey_begins_where_the_session_does_or_ends(is_backward, expected):
    log = record(*visit("/", "signup", "/blog", "/docs"), *visit("signup", visitor=2))

    report = journeys(JourneyQuery(is_backward=is_backward), log, PERIOD)

    assert report.sessions == 1
    assert steps_of(report) == [*({page(path): 1} for path in expected), {}]


def test_the_same_page_twice_in_a_row_is_one_step_that_of_the_beginning_included():
    log = record(*visit("/", "/", "/docs", "/docs", "/", "/docs"))

    report = journeys(JourneyQuery(rule=PathRule("/")), log, PERIOD)

    assert steps_of(report) == [{page("/docs"): 1}, {page("/"): 1}, {page("/docs"): 1}, {}]


def test_a_page_after_an_event_on_it_is_a_step():
    log = record(*visit("/", "signup", "/"))

    report = journeys(JourneyQuery(rule=EventRule("signup")), log, PERIOD)

    assert steps_of(report) == [{page("/"): 1}, {}]


def test_custom_events_are_steps_when_they_are_asked_for():
    log = record(*visit("/", "signup", "signup", "/docs", "order"))

    without, with_events = [
        journeys(JourneyQuery(rule=PathRule("/"), has_events=has_events), log, PERIOD)
        for has_events in (False, True)
    ]

    assert steps_of(without) == [{page("/docs"): 1}, {}]
    assert steps_of(with_events) == [{named("signup"): 1}, {page("/docs"): 1}, {named("order"): 1}, {}]


def test_an_event_is_another_step_than_a_page_of_its_name():
    log = record(hit(pathname="signup"), event("signup", after(minutes=1)))

    report = journeys(JourneyQuery(has_events=True), log, PERIOD)

    assert steps_of(report) == [{page("signup"): 1}, {named("signup"): 1}, {}]


def test_a_page_without_a_path_is_a_step_of_the_empty_name():
    log = record(hit(pathname=None), hit(after(minutes=1), pathname=""), hit(after(minutes=2), pathname="/a"))

    report = journeys(JourneyQuery(), log, PERIOD)

    assert steps_of(report) == [{page(""): 1}, {page("/a"): 1}, {}]


def test_only_hits_of_the_period_are_steps():
    log = record(*visit("/", "/pricing", "/docs", "/blog"))

    report = journeys(JourneyQuery(rule=PathRule("/*")), log, Period(after(minutes=1), after(minutes=3)))

    assert (report.sessions, steps_of(report)) == (1, [{page("/docs"): 1}, {}])


def test_hits_of_one_instant_are_in_the_order_of_their_positions():
    log = record(*(hit(pathname=path) for path in ("/b", "/a", "/c")))

    assert steps_of(journeys(JourneyQuery(rule=PathRule("/b")), log, PERIOD))[:2] == [
        {page("/a"): 1},
        {page("/c"): 1},
    ]


def test_a_journey_has_five_steps_at_most():
    log = record(*visit(*(f"/{number}" for number in range(9))))

    report = journeys(JourneyQuery(rule=PathRule("/0")), log, PERIOD)

    assert steps_of(report) == [{page(f"/{number}"): 1} for number in range(1, MOST_STEPS + 1)]


def test_the_most_frequent_steps_are_named_and_the_others_are_counted_together():
    paths = [f"/{letter}" for letter in "abcdefghij"]
    ways = [["/", path] for path in paths] + [["/", "/j", "/a"], ["/"]]
    log = record(*(one for number, way in enumerate(ways) for one in visit(*way, visitor=number)))

    report = journeys(JourneyQuery(rule=PathRule("/")), log, PERIOD)

    first = [NamedStep(page("/j"), 2), *(NamedStep(page(path), 1) for path in paths[: MOST_NAMES - 1])]
    assert report.steps(1) == [*first, NamedStep(None, 2)]
    assert (report.sessions, report.reached(1), report.ended(0)) == (12, 11, 1)
    assert Passage(2, page("/j"), page("/a"), 1) in report.passages
    assert (report.ended(1, page("/j")), report.ended(1)) == (1, 2)


def test_only_journeys_with_the_chosen_steps_count():
    ways = [["/", "/a", "/b"], ["/", "/a", "/c"], ["/", "/b", "/a"], ["/", "/a"]]
    log = record(*(one for number, way in enumerate(ways) for one in visit(*way, visitor=number)))
    chosen = ((1, page("/a")), (2, page("/c")))

    first, both = [
        journeys(JourneyQuery(rule=PathRule("/"), chosen=steps), log, PERIOD)
        for steps in (chosen[:1], chosen)
    ]

    assert (first.sessions, steps_of(first)) == (3, [{page("/a"): 3}, {page("/b"): 1, page("/c"): 1}, {}])
    assert (both.sessions, steps_of(both)) == (1, [{page("/a"): 1}, {page("/c"): 1}, {}])


def test_filters_select_whole_sessions():
    log = record(*visit("/", "/a"), *visit("/", "/b", visitor=2))

    report = journeys(JourneyQuery(), log, PERIOD, [filter_of("pathname", "equals", "/b")])

    assert steps_of(report) == [{page("/"): 1}, {page("/b"): 1}, {}]


def test_nothing_has_no_steps():
    report = journeys(JourneyQuery(), [], PERIOD)

    assert (report.sessions, report.passages, [*report.numbers]) == (0, (), [])


@given(log=histories.histories(max_size=60), query=conditions.journey_queries(), period=histories.periods())
def test_the_steps_of_each_number_add_up_to_the_sessions(log, query, period):
    report = journeys(query, log, period)

    before = report.sessions
    for number in report.numbers:
        sources = [one.step for one in report.steps(number - 1)] if number > 1 else [None]
        ended = sum(report.ended(number - 1, source) for source in sources)
        assert ended >= 0
        assert report.reached(number) + ended == before
        before = report.reached(number)
