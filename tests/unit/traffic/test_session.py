"""Sessions, formed of hits."""

from collections import Counter
from datetime import timedelta
from itertools import groupby, pairwise

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.tracking.hit import DeviceType, HitType
from footfall.domain.traffic.session import (
    INACTIVITY,
    LONGEST,
    Mark,
    session_ids,
    session_text,
    sessionize,
    visits,
)
from tests.histories import (
    SITE,
    after,
    arrived_otherwise,
    error,
    event,
    histories,
    hit,
    long_histories,
    record,
)

MICROSECOND = timedelta(microseconds=1)
LOGS = histories() | long_histories()


def test_pause_of_thirty_minutes_keeps_the_session_open():
    log = record(hit(after(minutes=0)), hit(after(minutes=30)))

    (session,) = sessionize(log)

    assert (session.start, session.end) == (after(minutes=0), after(minutes=30))
    assert session.duration == 1800


def test_pause_longer_than_thirty_minutes_begins_another_session():
    log = record(hit(after(minutes=0)), hit(after(minutes=30) + MICROSECOND))

    assert session_ids(log) == {1: 1, 2: 2}


def test_a_hit_of_any_type_extends_a_session():
    log = record(hit(after(minutes=0)), hit(after(minutes=20), HitType.PERFORMANCE), hit(after(minutes=40)))

    assert session_ids(log) == {1: 1, 2: 1, 3: 1}


def test_a_hit_that_arrives_late_belongs_to_the_session_of_its_time():
    log = record(
        hit(after(minutes=30), pathname="/second"),
        hit(after(days=3)),
        hit(after(minutes=0), pathname="/first"),
    )

    session, _ = sessionize(log)

    assert (session.session_id, session.start) == (1, after(minutes=0))
    assert (session.entry_page, session.exit_page) == ("/first", "/second")


def test_a_hit_that_arrives_late_joins_the_sessions_around_it():
    log = record(hit(after(minutes=0)), hit(after(minutes=50)), hit(after(minutes=25)))

    assert session_ids(log) == {1: 1, 2: 1, 3: 1}


def test_a_hit_from_long_before_the_start_begins_another_session():
    log = record(hit(after(minutes=30) + MICROSECOND), hit(after(minutes=0)))

    assert session_ids(log) == {1: 1, 2: 2}


def test_hits_belong_to_the_sessions_of_their_times_whatever_came_in_between():
    now, long_ago = after(days=10), after(days=0)

    ids = session_ids(record(hit(now), hit(long_ago), hit(now), hit(long_ago)))

    assert ids == {1: 1, 2: 2, 3: 1, 4: 2}


def every_20_minutes(since, until):
    """Return hits from one hour after the start to another, neither of which is missing."""
    return [hit(after(hours=since, minutes=20 * step)) for step in range((until - since) * 3 + 1)]


def test_a_run_of_24_hours_is_one_session():
    (session,) = sessionize(record(*every_20_minutes(0, 24)))

    assert session.end - session.start == LONGEST


def test_a_longer_run_is_a_session_for_each_day_in_utc():
    log = record(*every_20_minutes(0, 52), hit(after(hours=52, microseconds=1)))

    found = [(session.session_id, session.start, session.end) for session in sessionize(log)]

    # The histories start four hours before midnight.
    assert found == [
        (1, after(hours=0), after(hours=3, minutes=40)),
        (13, after(hours=4), after(hours=27, minutes=40)),
        (85, after(hours=28), after(hours=51, minutes=40)),
        (157, after(hours=52), after(hours=52, microseconds=1)),
    ]


def test_a_session_is_named_after_the_first_of_its_hits_in_the_log():
    log = record(*every_20_minutes(4, 28), hit(after(hours=3, minutes=50)))

    assert session_ids(log) == {**dict.fromkeys(range(1, 73), 1), 73: 73, 74: 74}


def test_no_run_crosses_a_mark():
    mark = Mark(SITE, 1, after(hours=4), after(hours=3), after(hours=3))
    log = record(*every_20_minutes(3, 5))

    assert set(session_ids(log).values()) == {1}
    assert set(session_ids(log, [mark]).values()) == {1, 4}
    assert set(session_ids(log, [evolve(mark, visitor_id=2), evolve(mark, site_id=2)]).values()) == {1}


@pytest.mark.parametrize(
    ("last", "sessions"),
    [
        (after(hours=3, minutes=40), 2),
        (after(hours=3, minutes=30), 2),
        (after(hours=3, minutes=30) - MICROSECOND, 1),
    ],
)
def test_the_rest_of_a_cut_run_counts_from_the_first_time_of_what_was_removed(last, sessions):
    log = record(*every_20_minutes(4, 28))

    found = visits(log, [Mark(SITE, 1, after(hours=4), after(hours=3), last)])

    assert len(found) == sessions


def test_visitors_and_sites_have_sessions_of_their_own():
    log = record(hit(visitor_id=1), hit(visitor_id=2), hit(visitor_id=1, site_id=2), hit(visitor_id=1))

    assert session_ids(log) == {1: 1, 2: 2, 3: 3, 4: 1}


def test_session_takes_visitor_attributes_from_the_first_hit():
    first = {
        "country": "NP",
        "browser": "Firefox",
        "device_type": DeviceType.TABLET,
        "referrer": "https://a.test/",
    }
    known = {"channel": "Referral", "utm_source": "a", "language": "ne", "hostname": "a.example", **first}

    (session,) = sessionize(
        record(hit(after(minutes=5), country="DE", channel="Direct"), hit(after(minutes=0), **known))
    )

    assert {name: getattr(session, name) for name in known} == known


def test_hits_at_the_same_time_are_ordered_by_the_log():
    log = record(
        hit(pathname="/a", country="DE", user_id="anna"), hit(pathname="/b", country="NP", user_id="bob")
    )

    (session,) = sessionize(log)

    assert (session.entry_page, session.exit_page) == ("/a", "/b")
    assert (session.country, session.user_id) == ("DE", "bob")


def test_entry_and_exit_are_pageviews_only():
    log = record(
        event("x", pathname="/e"),
        hit(after(minutes=1), pathname="/p"),
        event("y", after(minutes=2), pathname="/f"),
    )

    (session,) = sessionize(log)

    assert (session.entry_page, session.exit_page) == ("/p", "/p")


def test_a_session_without_a_pageview_has_no_entry_and_no_exit():
    (session,) = sessionize(record(event("x", pathname="/e")))

    assert (session.entry_page, session.exit_page) == (None, None)


def test_the_user_is_the_latest_one_given_in_time():
    log = record(
        hit(after(minutes=2), user_id="anna"), hit(after(minutes=1), user_id="bob"), hit(after(minutes=3))
    )

    (session,) = sessionize(log)

    assert session.user_id == "anna"


def test_session_without_a_user_id_is_named_after_the_visitor():
    (session,) = sessionize(record(hit(visitor_id=-2)))

    assert session.user_id == "fffffffffffffffe"


def test_hits_are_counted_by_type():
    kinds = [hit(), hit(), event("x"), hit(kind=HitType.PERFORMANCE), hit(kind=HitType.OUTBOUND), error("m")]

    (session,) = sessionize(record(*kinds))

    assert (session.pageviews, session.custom_events, session.performance_measures) == (2, 1, 1)
    assert (session.outbound_clicks, session.errors, session.hits) == (1, 1, 6)


@pytest.mark.parametrize(
    ("log", "bounced"),
    [
        (record(hit()), True),
        (record(hit(), hit()), False),
        (record(hit(), hit(kind=HitType.PERFORMANCE)), True),
        (record(hit(), error("m"), error("m")), True),
        (record(hit(), event("x")), False),
        (record(hit(), hit(kind=HitType.OUTBOUND)), False),
        (record(event("x")), False),
        (record(hit(kind=HitType.PERFORMANCE)), False),
    ],
)
def test_a_bounce_is_one_pageview_without_a_custom_event_or_an_outbound_click(log, bounced):
    (session,) = sessionize(log)

    assert session.bounced is bounced


def test_ids_as_texts_sort_as_the_ids_do():
    texts = [session_text(session_id) for session_id in (1, 255, 2**40)]

    assert texts == ["0000000000000001", "00000000000000ff", "0000010000000000"]


@given(LOGS)
def test_every_hit_is_in_one_session_that_is_named_after_the_first_of_its_hits_in_the_log(log):
    found = visits(log)

    assert sorted(recorded.position for visit in found for recorded in visit.hits) == [
        one.position for one in log
    ]
    assert all(visit.session.session_id == min(one.position for one in visit.hits) for visit in found)
    assert [visit.session.session_id for visit in found] == sorted(
        visit.session.session_id for visit in found
    )


@given(LOGS)
def test_a_session_spans_its_hits_and_at_most_a_day(log):
    for visit in visits(log):
        times = [recorded.hit.occurred_at for recorded in visit.hits]

        assert (visit.session.start, visit.session.end) == (min(times), max(times))
        assert visit.session.end - visit.session.start <= LONGEST
        assert visit.session.hits == len(visit.hits)


@given(LOGS)
def test_a_hit_belongs_to_its_visitors_latest_session_that_starts_at_or_before_its_time(log):
    found = visits(log)
    for recorded in log:
        visitor = (recorded.hit.site_id, recorded.hit.visitor_id)
        own = [one for one in found if (one.session.site_id, one.session.visitor_id) == visitor]
        started = [one for one in own if one.session.start <= recorded.hit.occurred_at]

        latest = max(started, key=lambda one: one.session.start)

        assert recorded in latest.hits


@given(LOGS)
def test_two_sessions_of_a_visitor_are_apart_by_a_long_pause_or_a_midnight_of_a_long_run(log):
    for _, own in groupby(
        sorted(sessionize(log), key=lambda one: (one.visitor_id, one.start)), lambda one: one.visitor_id
    ):
        for earlier, later in pairwise(own):
            paused = later.start - earlier.end > INACTIVITY

            assert paused or earlier.end.date() < later.start.date()


@given(LOGS, st.randoms())
def test_sessions_do_not_depend_on_the_order_of_arrival(log, random):
    shuffled = arrived_otherwise(log, random)

    assert groups(shuffled) == groups(log)


@given(histories(), st.randoms())
def test_sessions_depend_on_positions_and_not_on_the_order_of_the_list(log, random):
    shuffled = list(log)
    random.shuffle(shuffled)

    assert sessionize(shuffled) == sessionize(log)


def groups(log):
    """Return the sessions as groups of hits, whatever their positions are."""
    return Counter(tuple(repr(one.hit) for one in visit.hits) for visit in visits(log))
