"""Which hits satisfy the rule of a goal."""

import re
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.automaton import Automaton
from footfall.domain.goal import EventRule, PathRule
from footfall.domain.hit import Hit, HitType
from footfall.domain.matching import canonical, matches, path_expression, path_matcher, path_regex

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def hit(kind=HitType.PAGEVIEW, **known):
    return Hit(site_id=1, type=kind, occurred_at=NOW, received_at=NOW, visitor_id=1, **known)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/thanks", "/thanks"),
        ("/blog*", "/blog"),
        ("/blog*", "/blogs"),
        ("/blog/*", "/blog/"),
        ("/blog/*", "/blog/2026/january"),
        ("/*", "/"),
        ("/*/edit", "/42/edit"),
        ("/*/edit", "//edit"),
        ("/a*z/b", "/az/b"),
        ("/a*z/b", "/aazz/b"),
        ("/**/edit", "/a/b/c/edit"),
        ("/a**z", "/az"),
        ("/a**z", "/a/y/z"),
        ("/***", "/x/y"),
        ("/a/*/b/*", "/a/x/b/y/z"),
        ("/price(s).html", "/price(s).html"),
        ("/größe/*", "/größe/42"),
    ],
)
def test_a_pattern_matches_whole_paths(pattern, path):
    assert path_matcher(pattern)(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/thanks", "/thanks/"),
        ("/thanks", "/Thanks"),
        ("/thanks", "/old/thanks"),
        ("/thanks", "/thanks\n"),
        ("/blog/*", "/blog"),
        ("/*/edit", "/a/b/edit"),
        ("/*/edit", "/42/edit/"),
        ("/**/edit", "/edit"),
        ("/a*z/b", "/a/z/b"),
        ("/a.b", "/axb"),
        ("/[ab]", "/a"),
        ("/a+", "/aa"),
        ("/a|/b", "/b"),
        ("/a?", "/"),
    ],
)
def test_a_pattern_takes_everything_but_stars_literally(pattern, path):
    assert not path_matcher(pattern)(path)


PATTERNS = st.text(st.sampled_from("/ab.*[]()^$\\|+?{}-&~#_ \t\né\U0001f600"), max_size=12).map("/{}".format)
PATHS = st.text(st.sampled_from("/ab.[]()^$\\|+?{}-&~#_ \t\né\U0001f600"), max_size=12).map("/{}".format)


@given(pattern=PATTERNS, path=PATHS)
def test_the_regular_expression_of_a_pattern_finds_what_the_pattern_matches(pattern, path):
    found = re.search(path_regex(pattern), path) is not None

    assert found == path_matcher(pattern)(path)


@given(pattern=PATTERNS, path=PATHS)
def test_the_short_cuts_for_simple_patterns_change_nothing(pattern, path):
    assert path_matcher(pattern)(path) == Automaton(path_expression(pattern)).occurs_in(path)


@given(pattern=PATTERNS, rests=st.lists(st.text("ab.-", max_size=3), min_size=20, max_size=20))
def test_stars_filled_with_parts_of_a_segment_always_match(pattern, rests):
    parts = pattern.split("*")
    path = "".join(part + rest for part, rest in zip(parts, [*rests[: len(parts) - 1], ""], strict=True))

    assert path_matcher(pattern)(path)


def test_a_hostile_pattern_costs_no_more_than_the_length_of_the_path():
    pattern = "/" + "*a" * 1000 + "*b"

    started = time.process_time()
    matched = path_matcher(pattern)("/" + "a" * 2000)

    assert not matched
    assert time.process_time() - started < 60


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("12", "12"),
        ("12.0", "12.0"),
        ("", ""),
        (12, "12"),
        (12.0, "12"),
        (-0.0, "0"),
        (0, "0"),
        (100, "100"),
        (1e22, "10000000000000000000000"),
        (1.5e-7, "0.00000015"),
        (-2.50, "-2.5"),
        (0.1, "0.1"),
        (12345678901234567890, "12345678901234567890"),
        (True, "true"),
        (False, "false"),
        (None, None),
        ([], None),
        ({"a": 1}, None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_values_are_compared_by_their_plain_text(value, text):
    assert canonical(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_plain_text_of_a_number_is_the_number_without_exponent_or_needless_zeros(number):
    text = canonical(number)

    assert float(text) == number
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", text)
    assert text != "-0"


def test_a_path_rule_counts_pageviews_only():
    rule = PathRule("/blog/*")

    assert matches(rule, hit(pathname="/blog/1"))
    assert not matches(rule, hit(HitType.CUSTOM_EVENT, pathname="/blog/1", event_name="x"))
    assert not matches(rule, hit(HitType.PERFORMANCE, pathname="/blog/1"))
    assert not matches(rule, hit(pathname=None))


def test_an_event_rule_counts_custom_events_of_exactly_its_name():
    rule = EventRule("signup")

    assert matches(rule, hit(HitType.CUSTOM_EVENT, event_name="signup"))
    assert not matches(rule, hit(HitType.CUSTOM_EVENT, event_name="Signup"))
    assert not matches(rule, hit(HitType.ERROR, event_name="signup"))


@pytest.mark.parametrize(
    ("expected", "properties", "matched"),
    [
        (12, {"n": 12.0}, True),
        ("12", {"n": 12}, True),
        (12, {"n": "12"}, True),
        (12, {"n": "12.0"}, False),
        (True, {"n": "true"}, True),
        (True, {"n": 1}, False),
        (1, {"n": True}, False),
        ("", {"n": ""}, True),
        ("null", {"n": None}, False),
        ("[]", {"n": []}, False),
        (12, {"m": 12}, False),
        (12, {"o": {"n": 12}}, False),
        (12, None, False),
    ],
)
def test_a_property_equals_a_value_when_their_texts_do(expected, properties, matched):
    rule = EventRule("order", "n", expected)

    found = matches(rule, hit(HitType.CUSTOM_EVENT, event_name="order", properties=properties))

    assert found is matched
