"""Sessions, formed of hits."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.tracking.hit import DeviceType, HitType
from footfall.domain.traffic.session import LONGEST, joins, session_ids, session_text, sessionize, visits
from tests.histories import after, error, event, histories, hit, record

MICROSECOND = timedelta(microseconds=1)


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


def test_a_hit_that_arrives_late_joins_when_it_is_close_before_the_start():
    log = record(hit(after(minutes=30), pathname="/second"), hit(after(minutes=0), pathname="/first"))

    (session,) = sessionize(log)

    assert (session.session_id, session.start) == (1, after(minutes=0))
    assert (session.entry_page, session.exit_page) == ("/first", "/second")


def test_a_hit_from_long_before_the_start_begins_another_session():
    log = record(hit(after(minutes=30) + MICROSECOND), hit(after(minutes=0)))

    assert session_ids(log) == {1: 1, 2: 2}


def test_a_session_is_split_after_24_hours():
    day = [hit(after(minutes=20 * step)) for step in range(24 * 3 + 1)]

    ids = session_ids(record(*day, hit(after(hours=24, microseconds=1))))

    assert set(ids.values()) == {1, 74}
    assert ids[73] == 1


def test_hits_join_only_the_session_that_began_last():
    now, long_ago = after(days=10), after(days=0)

    ids = session_ids(record(hit(now), hit(long_ago), hit(now), hit(long_ago)))

    assert ids == {1: 1, 2: 2, 3: 3, 4: 4}


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


@given(histories())
def test_every_hit_is_in_one_session_that_is_named_after_the_hit_that_began_it(log):
    found = visits(log)

    assert sorted(recorded.position for visit in found for recorded in visit.hits) == [
        one.position for one in log
    ]
    assert all(visit.session.session_id == visit.hits[0].position for visit in found)
    assert [visit.session.session_id for visit in found] == sorted(
        visit.session.session_id for visit in found
    )


@given(histories())
def test_a_session_spans_its_hits_and_at_most_a_day(log):
    for visit in visits(log):
        times = [recorded.hit.occurred_at for recorded in visit.hits]

        assert (visit.session.start, visit.session.end) == (min(times), max(times))
        assert visit.session.end - visit.session.start <= LONGEST
        assert visit.session.hits == len(visit.hits)


@given(histories())
def test_a_visitor_has_another_session_exactly_when_a_hit_does_not_join_the_one_before(log):
    for visitor in {recorded.hit.visitor_id for recorded in log}:
        own = [recorded for recorded in log if recorded.hit.visitor_id == visitor]
        ids = session_ids(own)
        for index in range(1, len(own)):
            before = next(visit for visit in reversed(visits(own[:index])))

            joined = joins(before.session.start, before.session.end, own[index].hit.occurred_at)

            assert ids[own[index].position] == (before.session.session_id if joined else own[index].position)


@given(histories(), st.integers(0, 30))
def test_a_hit_keeps_its_session_when_later_hits_arrive(log, length):
    earlier = session_ids(log[:length])

    later = session_ids(log)

    assert earlier.items() <= later.items()


@given(histories(), st.randoms())
def test_sessions_depend_on_positions_and_not_on_the_order_of_the_list(log, random):
    shuffled = list(log)
    random.shuffle(shuffled)

    assert sessionize(shuffled) == sessionize(log)
