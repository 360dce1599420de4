"""The first place in the code that a stack trace names, in the words of each browser."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.error_tracking.stack_trace import Frame, first_frame, whole_number

APP = "https://example.com/assets/app.js"


@pytest.mark.parametrize(
    ("stack", "frame"),
    [
        # Chrome
        (f"TypeError: x is not a function\n    at save ({APP}:10:15)\n    at {APP}:20:3", Frame(APP, 10, 15)),
        (f"Error: m\n    at {APP}:20:3", Frame(APP, 20, 3)),
        (f"Error: m\n    at async load ({APP}:7:1)", Frame(APP, 7, 1)),
        (f"Error: m\n    at async {APP}:7:1", Frame(APP, 7, 1)),
        (f"Error: m\n    at new Cart ({APP}?v=1:7:1)", Frame(f"{APP}?v=1", 7, 1)),
        (f"Error: m\n    at eval (eval at run ({APP}:3:9), <anonymous>:1:1)", Frame(APP, 3, 9)),
        (f"Error: m\n    at <anonymous>:1:1\n    at {APP}:2:2", Frame(APP, 2, 2)),
        (f"Error: m\n    at Array.map (<anonymous>)\n    at {APP}:2:2", Frame(APP, 2, 2)),
        # Firefox
        (f"save@{APP}:10:15\n@{APP}:20:3", Frame(APP, 10, 15)),
        (f"@{APP}:20:3", Frame(APP, 20, 3)),
        (f"run@{APP} line 7 > eval:1:1\n", Frame(APP, 7)),
        ("async*load@https://example.com/@scope/a.js:4:2", Frame("https://example.com/@scope/a.js", 4, 2)),
        # Safari
        (f"save@{APP}:10:15\nglobal code@{APP}:20:3", Frame(APP, 10, 15)),
        (f"{APP}:10:15", Frame(APP, 10, 15)),
        (f"[native code]\nsave@[native code]\nrun@{APP}:1:2", Frame(APP, 1, 2)),
        # Only a line
        (f"Error: m\n    at save ({APP}:10)", Frame(APP, 10)),
    ],
)
def test_the_first_frame_with_a_place_counts(stack, frame):
    assert first_frame(stack) == frame


@pytest.mark.parametrize(
    "stack",
    [
        "",
        "TypeError: nothing else",
        "Error: m\n    at <anonymous>",
        "Error: m\n    at save (native)",
        "see https://example.com:8080",
    ],
)
def test_a_stack_without_a_place_has_no_first_frame(stack):
    assert first_frame(stack) is None


def test_message_that_looks_like_a_frame_is_skipped():
    message = "Failed\n    at https://evil.example/x.js:1:1"

    frame = first_frame(f"Error: {message}\n    at {APP}:2:3", message=message)

    assert frame == Frame(APP, 2, 3)


@given(stack=st.text(alphabet="at @(:)/.\n1e>vl", max_size=300), message=st.text(max_size=20))
def test_any_stack_is_parsed_without_an_error(stack, message):
    frame = first_frame(stack, message=message)

    assert frame is None or frame.file_name


@pytest.mark.parametrize("piece", ["at eval (", "at (eval at (", "@", ":", " line ", "(", "\n", "at ", "9"])
def test_a_hostile_stack_costs_no_more_than_its_length(piece):
    stack = piece * (65_536 // len(piece))

    started = time.process_time()
    frame = first_frame(stack, message=piece)

    assert frame is None
    assert time.process_time() - started < 10


@pytest.mark.parametrize("text", ["", "-1", "1.5", "²", "1_0", " 1", str(2**31), "1" * 5000])
def test_invalid_line_number_text_gives_none(text):
    assert whole_number(text) is None
