"""Matching of hits by the rule of a goal (docs/read/reports.md#goals)."""

import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from footfall.domain.goals.goal import MAX_PROPERTY, EventRule, PageGroupRule, PathRule, Rule
from footfall.domain.paths.path_pattern import path_matcher
from footfall.domain.tracking.hit import Hit, HitType

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?0*[0-9]{1,3})?")


def matches(rule: Rule, hit: Hit) -> bool:
    """Whether a hit satisfies a rule; `matcher` is faster for many hits."""
    return matcher(rule)(hit)


def matcher(
    rule: Rule, matcher_of_path: Callable[[str], Callable[[str], bool]] = path_matcher
) -> Callable[[Hit], bool]:
    """Return a function that tells whether a hit satisfies the rule.

    With `path_matcher` its time can grow with a power of the length of a path: services that meet stored paths give
    another one.
    """
    match rule:
        case PageGroupRule(group, groups):
            # A path that an earlier rule has belongs to the group of that rule.
            rules = [(rule.name == group, matcher_of_path(rule.pattern)) for rule in groups.rules]
            return lambda hit: (
                hit.type is HitType.PAGEVIEW
                and next(
                    (is_of_group for is_of_group, path_matches in rules if path_matches(hit.pathname or "")),
                    False,
                )
            )
        case PathRule(pattern, key, value):
            path_matches, has_property = matcher_of_path(pattern), _property_matcher(key, value)
            return lambda hit: (
                hit.type is HitType.PAGEVIEW and path_matches(hit.pathname or "") and has_property(hit)
            )
        case EventRule(name, key, value):
            has_property = _property_matcher(key, value)
            return lambda hit: (
                hit.type is HitType.CUSTOM_EVENT and hit.event_name == name and has_property(hit)
            )


def _property_matcher(key: str | None, value: Any) -> Callable[[Hit], bool]:
    """Return a function that tells whether a hit has a property of a value; without a key every hit has it."""
    text, decimal = compared_texts(value)
    return lambda hit: key is None or equals_property((hit.properties or {}).get(key), text, decimal)


def compared_texts(value: Any) -> tuple[str | None, str | None]:
    """Return the text and the decimal of a rule's value; properties equal the value by one of the two.

    Texts and booleans compare by text, numbers by decimal. A text that is a JSON number has both, a number only a
    decimal: two texts are equal only if they are identical.
    """
    match value:
        case bool():
            return _boolean_text(value), None
        case str():
            return value, decimal_text(value)
        case _:
            return None, decimal_text(value)


def equals_property(value: Any, text: str | None, decimal: str | None) -> bool:
    """Whether a property equals what `compared_texts` makes of a value."""
    match value:
        case bool():
            return _boolean_text(value) == text
        case str() if text is not None:
            return value == text
        case _:
            return decimal is not None and decimal_text(value) == decimal


def property_text(value: Any) -> str | None:
    """Return a property as a text: numbers as plain decimals, booleans as JSON writes them; None for other values."""
    match value:
        case bool():
            return _boolean_text(value)
        case str():
            return value
        case _:
            return decimal_text(value)


def decimal_text(value: Any) -> str | None:
    """Return a number as a plain decimal without needless zeros or exponent; None for other values.

    A text counts as a number when it is a JSON number of at most 8,192 characters with an exponent of up to
    three digits. Integers of any size are exact.
    """
    match value:
        case bool():
            return None
        case str() if len(value) <= MAX_PROPERTY and _JSON_NUMBER.fullmatch(value):
            return _plain(Decimal(value))
        case int():
            return _plain(Decimal(value))
        case float() if math.isfinite(value):
            # The shortest text that identifies the number, as JSON encoders write it.
            return _plain(Decimal(repr(value)))
        case _:
            return None


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _boolean_text(value: bool) -> str:  # noqa: FBT001 - the value to compare
    return "true" if value else "false"
