"""Matching of hits by the rule of a goal."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.goals.goal import EventRule, PageGroupRule, PathRule, with_groups
from footfall.domain.goals.matching import compared_texts, decimal_text, matches
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.paths.path_pattern import path_matcher, path_regex
from footfall.domain.tracking.hit import Hit, HitType

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
        ("/Caf%C3%A9", "/Café"),
        ("/Caf%c3%a9*", "/Café/menu"),
        ("/*/Caf%C3%A9/**", "/de/Café/menu"),
        ("/a%2fb", "/a%2Fb"),
        ("/a%2Ab", "/a%2Ab"),
    ],
)
def test_pattern_matches_whole_path(pattern, path):
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
        ("/a%2Fb", "/a/b"),
        ("/a%2Ab", "/axb"),
        ("/a%2Ab", "/a*b"),
    ],
)
def test_pattern_reads_every_character_but_stars_literally(pattern, path):
    assert not path_matcher(pattern)(path)


PATTERNS = st.text(st.sampled_from("/ab.*[]()^$\\|+?{}-&~#_ \t\né\U0001f600"), max_size=12).map("/{}".format)
PATHS = st.text(st.sampled_from("/ab.[]()^$\\|+?{}-&~#_ \t\né\U0001f600"), max_size=12).map("/{}".format)


def glob_matches(pattern, path):
    """Match a pattern by its definition, trying every length for every wildcard."""
    if not pattern:
        return not path
    literal, star, _ = pattern.partition("*")
    if literal or not star:
        return path.startswith(literal) and glob_matches(pattern[len(literal) :], path[len(literal) :])
    rest = pattern.lstrip("*")
    anything = not rest or len(pattern) - len(rest) > 1
    longest = len(path) if anything or "/" not in path else path.index("/")
    return any(glob_matches(rest, path[length:]) for length in range(longest + 1))


@given(pattern=PATTERNS, path=PATHS)
def test_path_matcher_agrees_with_the_definition_of_wildcards(pattern, path):
    assert path_matcher(pattern)(path) is glob_matches(pattern, path)


@given(pattern=PATTERNS, path=PATHS)
def test_path_regex_finds_exactly_the_paths_that_the_matcher_accepts(pattern, path):
    found = re.search(path_regex(pattern), path) is not None

    assert found == path_matcher(pattern)(path)


@given(pattern=PATTERNS, rests=st.lists(st.text("ab.-", max_size=3), min_size=20, max_size=20))
def test_stars_match_any_part_of_a_segment(pattern, rests):
    parts = pattern.split("*")
    path = "".join(part + rest for part, rest in zip(parts, [*rests[: len(parts) - 1], ""], strict=True))

    assert path_matcher(pattern)(path)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("12", "12"),
        ("12.0", "12"),
        ("19.90", "19.9"),
        ("-0.00", "0"),
        ("1.5e+03", "1500"),
        ("0e999", "0"),
        ("1E-2", "0.01"),
        ("1e0000400", f"1{'0' * 400}"),
        ("1e1000", None),
        ("1e-1000", None),
        ("", None),
        ("pro", None),
        (" 12", None),
        ("12\n", None),
        ("+12", None),
        ("012", None),
        (".5", None),
        ("5.", None),
        ("0x10", None),
        ("Infinity", None),
        ("NaN", None),
        ("١٢", None),
        ("1" * 8192, "1" * 8192),
        ("1" * 8193, None),
        (2**53 + 1, "9007199254740993"),
        ("9007199254740993", "9007199254740993"),
        (10**4000, f"1{'0' * 4000}"),
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
        (True, None),
        (False, None),
        (None, None),
        ([], None),
        ({"a": 1}, None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_decimal_text_is_the_plain_decimal_of_a_number(value, text):
    assert decimal_text(value) == text


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("pro", ("pro", None)),
        ("19.90", ("19.90", "19.9")),
        (19.9, (None, "19.9")),
        (True, ("true", None)),
        (None, (None, None)),
    ],
)
def test_value_of_a_rule_is_compared_by_its_text_and_its_decimal(value, texts):
    assert compared_texts(value) == texts


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decimal_text_of_a_float_has_neither_exponent_nor_needless_zeros(number):
    text = decimal_text(number)

    assert float(text) == number
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", text)
    assert text != "-0"


def test_path_rule_matches_pageviews_only():
    rule = PathRule("/blog/*")

    assert matches(rule, hit(pathname="/blog/1"))
    assert not matches(rule, hit(HitType.CUSTOM_EVENT, pathname="/blog/1", event_name="x"))
    assert not matches(rule, hit(HitType.PERFORMANCE, pathname="/blog/1"))
    assert not matches(rule, hit(pathname=None))


def test_event_rule_matches_custom_events_of_exactly_its_name():
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
        (12, {"n": "12.0"}, True),
        ("12", {"n": "12.0"}, False),
        ("12.0", {"n": 12}, True),
        ("19.90", {"n": 19.9}, True),
        ("19.90", {"n": "19.9"}, False),
        (19.9, {"n": "19.90"}, True),
        (19.9, {"n": "1.99e1"}, True),
        (19.9, {"n": "19,90"}, False),
        (19.9, {"n": " 19.9"}, False),
        ("9007199254740993", {"n": 9007199254740993}, True),
        ("9007199254740993", {"n": 9007199254740992}, False),
        (9007199254740992, {"n": "9007199254740993"}, False),
        ("1", {"n": True}, False),
        ("true", {"n": True}, True),
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
def test_event_rule_compares_a_property_with_its_value(expected, properties, matched):
    rule = EventRule("order", "n", expected)

    found = matches(rule, hit(HitType.CUSTOM_EVENT, event_name="order", properties=properties))

    assert found is matched


@pytest.mark.parametrize(
    ("path", "kind", "satisfied"),
    [
        ("/user/1", HitType.PAGEVIEW, True),
        ("/me", HitType.PAGEVIEW, True),
        ("/user/1/orders", HitType.PAGEVIEW, False),
        ("/about", HitType.PAGEVIEW, False),
        ("/user/1", HitType.CUSTOM_EVENT, False),
    ],
)
def test_a_group_of_pages_has_the_paths_that_no_earlier_rule_has(path, kind, satisfied):
    rules = (GroupRule("Orders", "/user/*/orders"), GroupRule("Users", "/user/*"), GroupRule("Users", "/me"))
    rule = with_groups(PageGroupRule("Users"), PageGroups(rules))

    assert matches(rule, hit(kind, pathname=path)) is satisfied


def test_a_group_that_the_site_does_not_have_has_no_pages():
    assert not matches(PageGroupRule("Users"), hit(pathname="/user/1"))
