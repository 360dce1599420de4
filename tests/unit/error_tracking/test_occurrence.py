"""The place where an exception arose, in all spellings of those who report it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.error_tracking.occurrence import (
    ErrorDetails,
    error_details,
    error_message,
    occurrence_of,
)
from footfall.domain.traffic.session import sessionize
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
def test_invalid_line_number_is_unknown(value):
    assert place({"filename": "a.js", "lineno": value, "colno": 1}) == ("a.js", None, 1)


@pytest.mark.parametrize(
    "known",
    [{}, {"fileName": "a.js"}, {"lineno": 3}, {"fileName": "a.js", "lineNumber": 3}],
)
def test_missing_place_is_taken_from_the_first_frame(known):
    assert place({**known, "stack": "TypeError: m\n    at save (a.js:3:9)"}) == PLACE


def test_frame_that_contradicts_the_given_place_is_not_used():
    assert place({"fileName": "b.js", "stack": "Error: m\n    at save (a.js:3:9)"}) == ("b.js", None, None)


STACK = """TypeError: m
    at load (https://e.com/vendor/lib.js?v=3:1:5)
    at pay (https://e.com/app.js:42:7)
    at run (https://e.com/app.js:90:2)"""


@pytest.mark.parametrize(
    ("known", "found"),
    [
        ({"fileName": "app.js"}, ("app.js", 42, 7)),
        ({"fileName": "/app.js"}, ("/app.js", 42, 7)),
        ({"fileName": "https://e.com/app.js"}, ("https://e.com/app.js", 42, 7)),
        ({"fileName": "app.js", "lineNumber": 42}, ("app.js", 42, 7)),
        ({"fileName": "app.js", "lineNumber": 90.0}, ("app.js", 90, 2)),
        ({"fileName": "app.js", "columnNumber": 2}, ("app.js", 90, 2)),
        ({"fileName": "lib.js"}, ("lib.js", 1, 5)),
        ({"fileName": "lib.js?v=3"}, ("lib.js?v=3", 1, 5)),
        ({"fileName": "vendor/lib.js"}, ("vendor/lib.js", 1, 5)),
    ],
)
def test_a_file_name_that_ends_the_path_of_a_frame_names_it(known, found):
    assert place({**known, "stack": STACK}) == found


@pytest.mark.parametrize(
    "known",
    [
        {"fileName": "p.js"},
        {"fileName": "App.js"},
        {"fileName": "src/app.js"},
        {"fileName": "/"},
        {"fileName": "app.js", "lineNumber": 43},
        {"fileName": "app.js", "columnNumber": 9},
    ],
)
def test_frame_of_another_file_or_line_is_not_used(known):
    expected = (known["fileName"], known.get("lineNumber"), known.get("columnNumber"))

    assert place({**known, "stack": STACK}) == expected


def test_an_occurrence_belongs_to_its_session():
    log = record(hit(), error("m", user_id="anna", properties={"stack": "s"}))
    [session] = sessionize(log)

    found = occurrence_of(log[1], session)

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
