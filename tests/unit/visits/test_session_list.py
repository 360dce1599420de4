"""Lists of sessions, and places in them."""

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.session import sessionize
from footfall.domain.visits.session_list import (
    SessionPlace,
    SessionsQuery,
    listed_sessions,
    parse_place,
    parse_visitor,
)
from tests.conditions import filter_of
from tests.histories import after, days, hit, record

DAY = days("2026-03-28", "2026-03-28")


def asked(**more):
    return SessionsQuery(**{"period": DAY, "most": 10, **more})


def visitors_of(sessions):
    return [session.visitor_id for session in sessions]


def test_the_latest_start_comes_first_however_long_a_session_goes_on():
    log = record(hit(visitor_id=1), hit(after(minutes=5), visitor_id=2), hit(after(minutes=20), visitor_id=1))

    assert visitors_of(listed_sessions(log, asked())) == [2, 1]


def test_of_sessions_that_start_at_one_time_the_higher_id_comes_first():
    log = record(hit(visitor_id=1), hit(visitor_id=2))

    assert visitors_of(listed_sessions(log, asked())) == [2, 1]


def test_a_page_goes_on_behind_a_place_that_is_no_more():
    log = record(*(hit(after(minutes=minute), visitor_id=minute) for minute in range(4)))
    place = SessionPlace.of(sessionize(log)[2])
    without = [one for one in log if one.hit.visitor_id != 2]

    assert visitors_of(listed_sessions(without, asked(after=place))) == [1, 0]


def test_a_list_of_a_visitor_has_the_sessions_of_a_signed_user_on_all_browsers():
    signed = {"signed_visitor_id": 9, "user_id": "anna"}
    log = record(
        hit(visitor_id=1, **signed),
        hit(visitor_id=2, **signed),
        hit(visitor_id=3, user_id="anna"),
        hit(after(hours=2), visitor_id=1),
    )

    assert visitors_of(listed_sessions(log, asked(visitor=9))) == [2, 1]
    assert [one.start for one in listed_sessions(log, asked(visitor=1))] == [after(hours=2)]


@pytest.mark.parametrize("text", ["ANNA", "/in", "search.example"])
def test_sessions_are_searched_in_users_pages_and_referrers(text):
    known = {"user_id": "anna", "pathname": "/in", "referrer": "https://search.example/"}
    log = record(hit(visitor_id=1, **known), hit(visitor_id=2))

    assert visitors_of(listed_sessions(log, asked(choice=RowChoice(containing=text)))) == [1]


def test_filters_choose_sessions():
    log = record(hit(visitor_id=1, country="DE"), hit(visitor_id=2))

    found = listed_sessions(log, asked(filters=[filter_of("country", "equals", "DE")]))

    assert visitors_of(found) == [1]


def test_a_place_is_read_as_it_is_written():
    place = SessionPlace(after(hours=3), 2**62 + 5)

    assert parse_place(str(place)) == place
    assert parse_place(None) is None


@pytest.mark.parametrize("text", ["", "x", "1", "1-0", "1-8000000000000000", "9" * 17 + "-" + "0" * 16])
def test_another_text_is_no_place(text):
    with pytest.raises(Invalid) as refused:
        parse_place(text)

    assert list(refused.value.field_errors) == ["cursor"]


@pytest.mark.parametrize("number", [0, 1, -1, 2**63 - 1, -(2**63)])
def test_a_visitor_is_a_signed_number_in_hexadecimal_digits(number):
    assert parse_visitor(f"{number & (2**64 - 1):016x}") == number


@pytest.mark.parametrize("text", ["", "1", "g" * 16, "0" * 17, "A" * 16])
def test_another_text_is_no_visitor(text):
    with pytest.raises(Invalid) as refused:
        parse_visitor(text)

    assert list(refused.value.field_errors) == ["visitor"]
