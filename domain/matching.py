"""Matching: which hits satisfy the rule of a goal (decisions, section 3)."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from footfall.domain.automaton import Automaton
from footfall.domain.expression import (
    ANYTHING,
    Chain,
    Characters,
    End,
    Expression,
    Repeat,
    Start,
    literal,
    render,
)
from footfall.domain.goal import EventRule, PathRule, Rule
from footfall.domain.hit import Hit, HitType

_WITHIN_SEGMENT = Repeat(Characters((("/", "/"),), negated=True), 0, None)
_ANY_REST = Repeat(ANYTHING, 0, None)
_WILDCARDS_OR_CHARACTER = re.compile(r"\*{2,}|\*|[^*]")


def matches(rule: Rule, hit: Hit) -> bool:
    """Whether one hit satisfies a rule; for many hits, `matcher` is faster."""
    return matcher(rule)(hit)


def matcher(rule: Rule) -> Callable[[Hit], bool]:
    """Return what tells whether a hit satisfies the rule."""
    match rule:
        case PathRule(pattern):
            path_matches = path_matcher(pattern)
            return lambda hit: hit.type is HitType.PAGEVIEW and path_matches(hit.pathname or "")
        case EventRule(name, key, value):
            expected = canonical(value)
            return lambda hit: (
                hit.type is HitType.CUSTOM_EVENT
                and hit.event_name == name
                and (key is None or _has(hit, key, expected))
            )


@lru_cache(maxsize=1024)
def path_matcher(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a whole path matches a pattern, in time linear in the path's length.

    A `*` at the end matches any rest, a `*` elsewhere any part of one segment, `**` anything, the empty text
    included. Every other character stands for itself.
    """
    if "*" not in pattern:
        return pattern.__eq__
    prefix = pattern.rstrip("*")
    if "*" not in prefix:
        return lambda path: path.startswith(prefix)
    return Automaton(path_expression(pattern)).occurs_in


def path_regex(pattern: str) -> str:
    """Return a regular expression that finds what the pattern matches, in Python and in PostgreSQL."""
    return render(path_expression(pattern))


def path_expression(pattern: str) -> Expression:
    """Return what a path pattern means."""
    parts = tuple(_part(text) for text in _WILDCARDS_OR_CHARACTER.findall(pattern.removesuffix("*")))
    rest = (_ANY_REST,) if pattern.endswith("*") else ()
    return Chain((Start(), *parts, *rest, End()))


def canonical(value: Any) -> str | None:
    """Return the text by which a property's value is compared; None for what equals nothing.

    A text is itself, a number is a plain decimal without needless zeros or exponent, true is `true`. null,
    arrays and objects equal nothing.
    """
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return _plain_decimal(value)
        case _:
            return None


def _part(text: str) -> Expression:
    if text == "*":
        return _WITHIN_SEGMENT
    return _ANY_REST if text.startswith("*") else literal(text)


def _plain_decimal(number: float) -> str:
    # The shortest text that stands for the number, as JSON encoders write it, without its exponent.
    text = f"{Decimal(repr(number)):f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _has(hit: Hit, key: str, expected: str | None) -> bool:
    return expected is not None and canonical((hit.properties or {}).get(key)) == expected
