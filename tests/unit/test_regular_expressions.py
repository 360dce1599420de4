"""Regular expressions of filters: what is accepted, what it means, and what the largest of them costs."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.regular_expressions import (
    EXPRESSION_BYTES,
    MOST_INSTRUCTIONS,
    compile_expression,
)
from footfall.domain.exceptions import ExpressionRefused


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("", "anything"),
        ("^/blog/.*$", "/blog/1"),
        ("a.b", "a\nb"),
        ("^$", ""),
        ("(?i)café", "CAFÉ"),
        ("(?i)^[a-f]+$", "BEEF"),
        ("(?i)a-é", "A-É"),
        (r"\bshop\b", "the shop"),
        ("[[:alpha:]]", "x"),
        (r"\x{e9}|\351", "é"),
        ("(?P<page>a)", "a"),
        ("a{990}", "a" * 990),
        (r"\Q\p{L}\E", r"\p{L}"),
        (r"\(?<n", "(<n"),
        (r"[(?<]n", "<n"),
        ("(?-i)ΐ", "ΐ"),
    ],
)
def test_expression_occurs_in_text(expression, text):
    assert compile_expression(expression)(text)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("^b", "ab"),
        ("^a$", "a\n"),
        ("A", "a"),
        (r"\d", "\u0661"),
        (r"\w", "é"),
        (r"\s", "\u00a0"),
        ("(?-s)a.b", "a\nb"),
    ],
)
def test_expression_does_not_occur_in_text(expression, text):
    assert not compile_expression(expression)(text)


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("(a", "missing ): (a"),
        ("a)", "unexpected ): a)"),
        ("a**", "bad repetition operator: **"),
        ("(?=a)", "invalid perl operator: (?="),
        (r"(a)\1", r"invalid escape sequence: \1"),
        ("\\é", "invalid escape sequence: \\é"),
        ("é[", "missing ]: ["),
        ("a{1001}", "invalid repetition size: {1001}"),
        ("(?<page>a)", "named with (?P<name>"),
        (r"\p{L}", r"\p and \P"),
        (r"[^\P{Greek}]", r"\p and \P"),
        ("(?i:ΐ)", "the letters ΐ"),
        ("(?mi)[à-é]", "ranges of letters outside of ASCII"),
        (r"(?i)\x41", "ranges of letters outside of ASCII"),
        ("(?:a?){1000}", "at most 1,000 instructions of RE2, not 2,004"),
        (r"(?:\pL?){100}", "at most 1,048,576 bytes of memory"),
    ],
)
def test_what_is_refused_is_named(expression, complaint):
    with pytest.raises(ExpressionRefused) as refusal:
        compile_expression(expression)

    assert complaint in refusal.value.message


@given(st.text(max_size=30) | st.text("ab()[]{}|*+?.^$\\-,1dpLiQEsx<P>:é", max_size=200))
def test_any_text_is_either_compiled_or_refused_with_a_reason(text):
    try:
        found = compile_expression(text)("ab")
    except ExpressionRefused as refusal:
        found = refusal.message

    assert found in (True, False) or "regular expression" in found


def test_the_largest_expressions_take_few_milliseconds_for_a_value():
    hostile = compile_expression("(?:[^a]?.?){58}$^")
    value = "é中a😀b" * 400
    started = time.thread_time()

    for _ in range(5):
        hostile(value)

    # 22 ms each where it was measured, and 380 for what fits into the memory.
    assert time.thread_time() - started < 5 * 0.1
    assert (EXPRESSION_BYTES, MOST_INSTRUCTIONS) == (1_048_576, 1_000)
