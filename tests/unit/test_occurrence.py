"""Where an exception arose, in all spellings of those who report it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.occurrence import ErrorDetails, error_details, error_message, occurrence
from footfall.domain.session import sessionize
from tests.histories import error, hit, record

PLACE = ("a.js", 3, 9)


def place(properties):
    details = error_details(properties)
    return details.file_name, details.line_number, details.column_number


@pytest.mark.parametrize(
    "properties",
    [
        {"fileName": "a.js", "lineNumber": 3, "columnNumber": 9},
        {"filename": "a.js", "lineno": 3, "colno": 9},
        {"filename": "a.js", "line_number": 3, "column_number": 9},
        {"fileName": "a.js", "lineno": "3", "columnNumber": 9.0},
        {"fileName": "", "filename": "a.js", "lineNumber": None, "lineno": 3, "colno": 9},
        {"fileName": "a.js", "filename": "b.js", "lineNumber": 3, "lineno": 4, "columnNumber": 9, "colno": 1},
    ],
)
def test_every_spelling_is_read_and_that_of_the_interface_first(properties):
    assert place(properties) == PLACE


@pytest.mark.parametrize("value", [True, -1, 1.5, "x", "", [], {}, 2**31, float("1e300")])
def test_what_is_no_number_of_a_line_is_not_known(value):
    assert place({"filename": "a.js", "lineno": value, "colno": 1}) == ("a.js", None, 1)


@pytest.mark.parametrize(
    "known",
    [{}, {"fileName": "a.js"}, {"lineno": 3}, {"fileName": "a.js", "lineNumber": 3}],
)
def test_the_first_frame_tells_what_is_missing(known):
    assert place({**known, "stack": "TypeError: m\n    at save (a.js:3:9)"}) == PLACE


def test_a_frame_of_another_place_tells_nothing():
    assert place({"fileName": "b.js", "stack": "Error: m\n    at save (a.js:3:9)"}) == ("b.js", None, None)


def test_an_occurrence_belongs_to_its_session():
    log = record(hit(), error("m", user_id="anna", properties={"stack": "s"}))
    [session] = sessionize(log)

    found = occurrence(log[1], session)

    assert (found.position, found.session_id, found.user_id) == (2, 1, "anna")
    assert found.details == ErrorDetails("m", "s")


@given(
    st.dictionaries(
        st.sampled_from(["message", "stack", "fileName", "lineno", "colno"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.lists(st.integers(), max_size=1),
    )
)
def test_any_properties_have_details(properties):
    details = error_details(properties)

    assert isinstance(details.message, str)
    assert details.message == error_message(error("", properties=properties))
