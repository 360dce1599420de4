"""The dialect of regular expressions: what it accepts, what it means, and how it is rendered."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.regex.parser import parse_expression
from footfall.domain.regex.syntax import render, searcher


def occurs(expression, text):
    return searcher(parse_expression(expression, field="value"))(text)


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
def test_expression_matches_text(expression, text):
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
def test_expression_does_not_match_text(expression, text):
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
def test_syntax_outside_the_dialect_is_refused(expression, complaint):
    with pytest.raises(Invalid) as refusal:
        parse_expression(expression, field="filters[0].value")

    (message,) = refusal.value.field_errors["filters[0].value"]
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
def test_rendered_expression_matches_the_same_texts_as_the_original_in_python(expression, text):
    # In Python a `$` also matches before a line feed at the end.
    original = re.compile(expression.replace("$", r"\Z"), re.ASCII | re.DOTALL)

    assert occurs(expression, text) is (original.search(text) is not None)


@given(expression=GROUPED, text=TEXTS)
def test_rendered_expression_parses_to_the_same_meaning(expression, text):
    rendered = render(parse_expression(expression, field="value"))
    again = rendered.replace(r"\A", "^").replace(r"\Z", "$")

    assert occurs(again, text) == occurs(expression, text)


@given(st.text(max_size=30) | st.text("ab()[]{}|*+?.^$\\-,1d", max_size=200))
def test_any_text_is_either_parsed_or_refused_with_its_field(text):
    try:
        parsed = parse_expression(text, field="value")
    except Invalid as refusal:
        faults = refusal.field_errors
    else:
        faults = None if re.compile(render(parsed)) else {}

    assert faults is None or list(faults) == ["value"]
