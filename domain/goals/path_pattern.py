"""Path patterns of goals: their meaning and their limits (docs/http-api/reports.md)."""

import re
from collections.abc import Callable
from functools import lru_cache

from footfall.domain.regex.parser import MAX_STATES
from footfall.domain.regex.syntax import (
    ANYTHING,
    RE2_END,
    Chain,
    Characters,
    End,
    Expression,
    Repeat,
    Start,
    literal,
    render,
    searcher,
    size,
)
from footfall.domain.tracking.pathname import decoded_path

MAX_WILDCARDS = 20

_WITHIN_SEGMENT = Repeat(Characters((("/", "/"),), negated=True), 0, None)
_ANY_REST = Repeat(ANYTHING, 0, None)
_WILDCARDS = re.compile(r"\*+")
_WILDCARDS_OR_CHARACTER = re.compile(r"\*{2,}|\*|[^*]")


def path_pattern_error(pattern: str) -> str | None:
    """Return the limit that a pattern exceeds, as a message, or None.

    A pattern without wildcards, or with one at its end only, is compared as text and has no states.
    """
    wildcards = len(_WILDCARDS.findall(pattern))
    if wildcards > MAX_WILDCARDS:
        return f"must have at most {MAX_WILDCARDS} wildcards, not {wildcards}"
    if not is_compiled(pattern):
        return None
    states = size(_path_expression(pattern))
    if states > MAX_STATES:
        return (
            f"must need at most {MAX_STATES} states, not {states}: each character is one and each wildcard two,"
            " unless the only wildcard is at the end"
        )
    return None


def is_compiled(pattern: str) -> bool:
    """Whether matching needs a regular expression: a wildcard stands before the end of the pattern."""
    return "*" in pattern.rstrip("*")


@lru_cache(maxsize=1024)
def path_matcher(pattern: str) -> Callable[[str], bool]:
    """Return a function that tells whether a whole path matches a pattern.

    A `*` at the end matches any rest, a `*` elsewhere any part of one segment, `**` anything, the empty text
    included. Every other character stands for itself; percent-escapes are decoded as those of paths are.
    The lengths of patterns and paths are limited where they are accepted.
    """
    if is_compiled(pattern):
        return searcher(_path_expression(pattern))
    decoded = decoded_path(pattern)
    if "*" not in decoded:
        return decoded.__eq__
    prefix = decoded.rstrip("*")
    return lambda path: path.startswith(prefix)


def path_regex(pattern: str) -> str:
    """Return the pattern as a regular expression with the same meaning in Python and in PostgreSQL."""
    return render(_path_expression(pattern))


def path_regex_of_re2(pattern: str) -> str:
    """Return the pattern as a regular expression of RE2, with the same meaning."""
    return render(_path_expression(pattern), end=RE2_END)


def _path_expression(pattern: str) -> Expression:
    decoded = decoded_path(pattern)
    parts = tuple(_part(text) for text in _WILDCARDS_OR_CHARACTER.findall(decoded.removesuffix("*")))
    rest = (_ANY_REST,) if pattern.endswith("*") else ()
    return Chain((Start(), *parts, *rest, End()))


def _part(text: str) -> Expression:
    if text == "*":
        return _WITHIN_SEGMENT
    return _ANY_REST if text.startswith("*") else literal(text)
