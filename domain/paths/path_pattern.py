"""Path patterns of goals and exclusions: their meaning and their limits (docs/read/programs/http.md)."""

import re
from collections.abc import Callable
from functools import lru_cache

from footfall.domain.paths.pathname import decoded_path

MAX_PATH_PATTERN = 2048
MAX_WILDCARDS = 20
# PostgreSQL took up to half a second to prepare a hostile expression with so many, and two seconds for twice as many.
MAX_STATES = 500

_WITHIN_SEGMENT = "[^/]*"
# A dot includes the line feed in PostgreSQL and excludes it in Python and RE2.
_ANY_REST = r"(?:.|\n)*"
_WILDCARDS = re.compile(r"\*+")
_WILDCARDS_OR_CHARACTER = re.compile(r"\*{2,}|\*|[^*]")


def rooted(pattern: str) -> str:
    """Return the pattern of a path with the leading slash that it may lack."""
    return pattern if pattern.startswith("/") else f"/{pattern}"


def path_pattern_error(pattern: str) -> str | None:
    """Return the limit that a pattern exceeds, as a message, or None.

    A pattern without wildcards, or with one at its end only, is compared as text and has no states.
    """
    wildcards = len(_WILDCARDS.findall(pattern))
    if wildcards > MAX_WILDCARDS:
        return f"must have at most {MAX_WILDCARDS} wildcards, not {wildcards}"
    states = pattern_states(pattern)
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
        search = re.compile(path_regex(pattern)).search
        return lambda path: search(path) is not None
    decoded = decoded_path(pattern)
    if "*" not in decoded:
        return decoded.__eq__
    prefix = decoded.rstrip("*")
    return lambda path: path.startswith(prefix)


def path_regex(pattern: str) -> str:
    """Return the pattern as a regular expression with the same meaning in Python and in PostgreSQL."""
    return "".join(["\\A", *map(_regex_of, _parts(pattern)), "\\Z"])


def path_regex_of_re2(pattern: str) -> str:
    """Return the pattern as a regular expression of RE2, with the same meaning."""
    return f"{path_regex(pattern).removesuffix('Z')}z"


def pattern_states(pattern: str) -> int:
    """Return about how many states PostgreSQL needs for a pattern; its ends and their sequence are three.

    A pattern that is compared as text has none.
    """
    if not is_compiled(pattern):
        return 0
    return 3 + sum(2 if part.startswith("*") else 1 for part in _parts(pattern))


def _parts(pattern: str) -> list[str]:
    """Return the characters of a pattern and its wildcards; one at the end matches any rest, as two do."""
    decoded = decoded_path(pattern)
    ending = ["**"] if pattern.endswith("*") else []
    return [*_WILDCARDS_OR_CHARACTER.findall(decoded.removesuffix("*")), *ending]


def _regex_of(part: str) -> str:
    if part == "*":
        return _WITHIN_SEGMENT
    return _ANY_REST if part.startswith("*") else _escape(part)


def _escape(character: str) -> str:
    # A backslash makes ASCII punctuation literal, but gives letters and digits a meaning.
    plain = not character.isascii() or character.isalnum() or character in "_/" or not character.isprintable()
    return character if plain else f"\\{character}"
