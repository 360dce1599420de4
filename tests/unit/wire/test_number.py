"""Numbers in JSON: none is lost, changed or kept that no double holds."""

import json
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.number import MAX_ERRORS, TOO_LARGE, decode_json, exact_json, number_errors

INTEGERS = st.integers() | st.integers(-(10**308), 10**308)


@given(st.dictionaries(st.text(), INTEGERS | st.lists(INTEGERS)))
def test_a_whole_number_is_exact_however_many_digits_it_has(value):
    assert decode_json(json.dumps(value), orjson.loads) == value
    assert decode_json(json.dumps(value).encode(), orjson.loads) == value


@pytest.mark.parametrize(
    "text", ["1e400", "-1e400", "1" + "0" * 309, "-1" + "0" * 309, "9" * 309, "1" * 5_000, "1" * 100_000]
)
def test_a_number_that_no_double_holds_is_an_infinity(text):
    decoded = decode_json(f'{{"a": {text}}}', orjson.loads)

    assert math.isinf(decoded["a"])
    assert number_errors(decoded) == {"a": [TOO_LARGE]}


@pytest.mark.parametrize("text", ["", "{", "NaN", "-Infinity", '{"a": Infinity}', "[" * 100_000])
def test_what_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - each decoder has its own words
        decode_json(text, orjson.loads)


def test_numbers_are_named_by_their_place():
    value = {"a": {"b": [1, math.inf, {"c": -math.inf}]}, "d": 1e308, "e": "inf"}

    assert set(number_errors(value)) == {"a.b[1]", "a.b[2].c"}
    assert set(number_errors([math.inf], "filters")) == {"filters[0]"}


def test_few_faults_with_short_names_are_returned_whatever_was_sent():
    many = exact_json('{"' + "k" * 60_000 + '\\ud800": 1e400, "a": [' + "1e400," * 10_000 + "[[1e400]]]}")

    errors = number_errors(many)

    assert len(errors) == MAX_ERRORS
    assert all(len(name) <= 200 for name in errors)
    assert orjson.dumps(errors)
