"""Syntax trees of regular expressions and path patterns, independent of any dialect."""

import re
from collections.abc import Callable

from attrs import frozen


@frozen
class Characters:
    """One character of some ranges, both ends included; negated, one outside all of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False


@frozen
class Start:
    """The position before the first character."""


@frozen
class End:
    """The position after the last character."""


@frozen
class Chain:
    """Expressions in sequence."""

    parts: tuple["Expression", ...]


@frozen
class Choice:
    """One of the branches."""

    branches: tuple["Expression", ...]


@frozen
class Repeat:
    """The same expression several times; `most` is None when there is no upper limit."""

    part: "Expression"
    least: int
    most: int | None


Expression = Characters | Start | End | Chain | Choice | Repeat

ANYTHING = Characters((), negated=True)
RE2_END = r"\z"


def literal(character: str) -> Characters:
    """Return the expression for exactly this character."""
    return Characters(((character, character),))


def size(expression: Expression) -> int:
    """Return about how many states PostgreSQL needs for the expression; repetitions count as written out."""
    match expression:
        case Chain(parts) | Choice(parts):
            return 1 + sum(size(part) for part in parts)
        case Repeat(part, least, most):
            return 1 + size(part) * max(least + 1 if most is None else most, 1)
        case _:
            return 1


def render(expression: Expression, *, end: str = r"\Z") -> str:
    """Return the expression in the notation that Python's `re` and PostgreSQL's `~` read alike.

    It applies to any part of a text; anchors are written out. RE2 reads the same notation but for the end of a text,
    which it writes `RE2_END`.
    """
    match expression:
        case Characters():
            return _characters(expression)
        case Start():
            return r"\A"
        case End():
            return end
        case Chain(parts):
            return "".join(_grouped(part, end, Choice) for part in parts)
        case Choice(branches):
            return "|".join(render(branch, end=end) for branch in branches)
        case Repeat(part, least, most):
            return _grouped(part, end, Choice, Chain, Repeat) + _quantifier(least, most)


def searcher(expression: Expression) -> Callable[[str], bool]:
    """Return a function that tells whether the expression matches any part of a text.

    Python's `re` backtracks, so the time can grow exponentially with the text. The service leaves matching to
    PostgreSQL; only the adapters in memory call this function.
    """
    search = re.compile(render(expression)).search
    return lambda text: search(text) is not None


def _grouped(expression: Expression, end: str, *kinds: type) -> str:
    text = render(expression, end=end)
    return f"(?:{text})" if isinstance(expression, kinds) else text


def _quantifier(least: int, most: int | None) -> str:
    short: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    limits = f"{{{least},{'' if most is None else most}}}"
    return short.get((least, most), limits)


def _characters(characters: Characters) -> str:
    if not characters.ranges:
        # A dot includes the line feed in PostgreSQL and excludes it in Python.
        return r"(?:.|\n)"
    if len(characters.ranges) == 1 and not characters.negated and len(set(characters.ranges[0])) == 1:
        return _escape(characters.ranges[0][0])
    listed = "".join(_range(first, last) for first, last in characters.ranges)
    return f"[{'^' if characters.negated else ''}{listed}]"


def _range(first: str, last: str) -> str:
    return _escape(first) if first == last else f"{_escape(first)}-{_escape(last)}"


def _escape(character: str) -> str:
    # A backslash makes ASCII punctuation literal, but gives letters and digits a meaning.
    plain = not character.isascii() or character.isalnum() or character in "_/" or not character.isprintable()
    return character if plain else f"\\{character}"
