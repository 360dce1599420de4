"""The trail of a session."""

from datetime import timedelta

from footfall.domain.tracking.hit import HitType
from footfall.domain.visits.trail import Trail, TrailPart, trail
from tests.histories import after, error, event, hit, record

WHOLE = TrailPart(most=100)


def numbers(found):
    return [step.recorded.position for step in found.steps]


def test_steps_are_in_the_order_of_their_times_with_the_times_between():
    log = record(hit(after(seconds=90)), hit(), hit(after(seconds=90), pathname="/b"))

    found = trail(log, 1, WHOLE)

    assert numbers(found) == [2, 1, 3]
    assert [step.since_last for step in found.steps] == [None, timedelta(seconds=90), timedelta()]


def test_performance_measures_are_no_steps():
    log = record(hit(), hit(after(seconds=5), HitType.PERFORMANCE), hit(after(seconds=9)))

    found = trail(log, 1, WHOLE)

    assert (numbers(found), found.total) == ([1, 3], 2)
    assert found.steps[1].since_last == timedelta(seconds=9)


def test_a_part_has_the_times_between_of_the_whole_trail():
    log = record(*(hit(after(minutes=minute)) for minute in range(5)))

    assert numbers(trail(log, 1, TrailPart(most=2, skipped=2))) == [3, 4]
    assert trail(log, 1, TrailPart(most=2, skipped=2)).steps[0].since_last == timedelta(minutes=1)
    assert numbers(trail(log, 1, TrailPart(most=2, skipped=None))) == [4, 5]
    assert trail(log, 1, TrailPart(most=2, skipped=9)) == Trail([], 5)


def test_a_trail_up_to_a_moment_has_nothing_later():
    log = record(hit(), hit(), hit(after(minutes=1)))

    found = trail(log, 1, TrailPart(most=9, skipped=None, until=log[0].moment))

    assert (numbers(found), found.total) == ([1], 1)


def test_a_session_that_is_not_there_has_no_steps():
    assert trail(record(hit()), 7, WHOLE) == Trail([], 0)


def test_a_step_says_what_it_is_about():
    log = record(
        hit(page_title="Shop"),
        event("order"),
        hit(kind=HitType.OUTBOUND, properties={"url": "https://example.org/"}),
        hit(kind=HitType.OUTBOUND, properties={"url": 7}),
        hit(kind=HitType.OUTBOUND),
        error("x is undefined"),
        hit(),
    )

    found = [step.text for step in trail(log, 1, WHOLE).steps]

    assert found == ["Shop", "order", "https://example.org/", "", "", "x is undefined", ""]
