"""Regular expressions that every store understands alike, and that cannot keep anybody busy."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.automaton import Automaton
from footfall.domain.errors import Invalid
from footfall.domain.expression import render
from footfall.domain.expression_parser import parse_expression


def occurs(expression, text):
    return Automaton(parse_expression(expression, field="value")).occurs_in(text)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("", "anything"),
        ("b", "abc"),
        ("^abc$", "abc"),
        ("^/blog/.*$", "/blog/1"),
        ("a|b", "xb"),
        ("^(a|)$", ""),
        ("(?:ab)+$", "xabab"),
        ("^a{2,3}$", "aaa"),
        ("^a{2}$", "aa"),
        ("^a{2,}$", "aaaa"),
        ("^a{0}b", "b"),
        ("^a*?b", "aab"),
        ("^(a*)*$", "aaa"),
        (r"^\d\w\s\D\W\S$", "1_\tx-y"),
        (r"[\d-]", "-"),
        (r"[a\-z]", "-"),
        ("[a-]", "-"),
        ("[-a]", "-"),
        (r"[\]\\]", "]"),
        ("[^a-z]", "A"),
        (r"a\.b\/\(", "a.b/("),
        ("}]", "}]"),
        (".", "\n"),
        (r"\n", "\n"),
        ("ü.ü", "üäü"),
        ("^$", ""),
        ("$", "x"),
        ("(^a|b)c", "xbc"),
        ("a(b$|c)", "ab"),
    ],
)
def test_an_expression_is_found(expression, text):
    assert occurs(expression, text)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("^b", "ab"),
        ("b$", "bc"),
        ("^a$", "a\n"),
        ("a^b", "ab"),
        ("^a{2,3}$", "aaaa"),
        (r"\d", "\u0661"),
        (r"\w", "é"),
        (r"\s", "\u00a0"),
        ("A", "a"),
        (r"[^\w]", "a_1"),
        ("(^a|b)c", "xac"),
    ],
)
def test_an_expression_is_not_found(expression, text):
    assert not occurs(expression, text)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("a" * 201, "at most 200 characters"),
        ("(a", "a ( without its )"),
        ("a)", "a ) without its ("),
        ("*a", "a repetition of nothing"),
        ("a**", "a repetition of a repetition"),
        ("a*+", "a repetition of a repetition"),
        ("^*", "a repeated ^ or $"),
        ("(?=a)", "a group that begins with (?"),
        ("(?<=a)b", "a group that begins with (?"),
        ("(?P<n>a)", "a group that begins with (?"),
        ("(?i)a", "a group that begins with (?"),
        (r"(a)\1", r"\1"),
        (r"\ba", r"\b"),
        (r"\x41", r"\x"),
        (r"\p{L}", r"\p"),
        ("a\\", "\\"),
        ("[a", "a [ without its ]"),
        ("[]", "[] with nothing in it"),
        ("[z-a]", "a range from z down to a"),
        ("[[:alpha:]]", "a [ within brackets"),
        (r"[\D]", r"\D"),
        ("a{", "a { that is neither"),
        ("a{,3}", "a { that is neither"),
        ("a{3,2}", "limits that do not ascend"),
        ("a{256}", "limits that do not ascend"),
        ("a{256,}", "limits that do not ascend"),
        ("(a{100}){100}", "at most 500 characters"),
        ("((((a{255}){255}){255}){255}){255}", "at most 500 characters"),
        ("(" * 22 + ")" * 22, "groups within each other"),
        ("(" * 200, "groups within each other"),
    ],
)
def test_what_dialects_understand_differently_is_refused(expression, complaint):
    with pytest.raises(Invalid) as refusal:
        parse_expression(expression, field="filters[0].value")

    (message,) = refusal.value.faults["filters[0].value"]
    assert complaint in message


PIECES = st.sampled_from(
    [
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        r"[a-c\d]",
        r"\d",
        r"\W",
        r"\s",
        r"\.",
        "^",
        "$",
        "\n",
        "é",
        "#",
        " ",
        "&",
        "~",
        "-",
    ]
)
GROUPED = st.recursive(
    PIECES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        inner.map("({})".format),
        st.tuples(inner, inner).map(lambda pair: "(?:{}|{})".format(*pair)),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0}", "{1,}", "*?"])).map(
            lambda pair: "(?:x{}){}".format(*pair)
        ),
    ),
    max_leaves=12,
)
TEXTS = st.text("abcx1.é\n -#&~", max_size=8)


@given(expression=GROUPED, text=TEXTS)
def test_the_rendered_expression_is_found_by_python_in_the_same_texts(expression, text):
    parsed = parse_expression(expression, field="value")

    found = re.search(render(parsed), text) is not None

    assert found == Automaton(parsed).occurs_in(text)


@given(expression=GROUPED, text=TEXTS)
def test_rendering_an_expression_loses_nothing(expression, text):
    rendered = render(parse_expression(expression, field="value"))
    again = rendered.replace(r"\A", "^").replace(r"\Z", "$")

    assert occurs(again, text) == occurs(expression, text)


@given(st.text(max_size=30) | st.text("ab()[]{}|*+?.^$\\-,1d", max_size=200))
def test_whatever_text_arrives_it_is_an_expression_or_refused(text):
    try:
        parsed = parse_expression(text, field="value")
    except Invalid as refusal:
        faults = refusal.faults
    else:
        faults = None if re.compile(render(parsed)) else {}

    assert faults is None or list(faults) == ["value"]


@pytest.mark.parametrize(
    "hostile",
    [
        "(a+)+$",
        "(a|aa)+$",
        "(a*a*)*b",
        "a*" * 90 + "b",
        "(.{0,255})b",
        "((a|b)*a(a|b){20})c",
        "(a?){160}a{160}",
    ],
)
def test_a_hostile_expression_is_searched_for_in_linear_time(hostile):
    started = time.process_time()

    occurs(hostile, "a" * 2048 + "!")

    assert time.process_time() - started < 60
