"""Expressions: what a path pattern or a regular expression means, independent of any dialect."""

from attrs import frozen


@frozen
class Characters:
    """One character out of some ranges, both ends included; or, negated, one out of none of them."""

    ranges: tuple[tuple[str, str], ...]
    negated: bool = False

    def __contains__(self, character: str) -> bool:
        return any(first <= character <= last for first, last in self.ranges) is not self.negated


@frozen
class Start:
    """The place before the first character."""


@frozen
class End:
    """The place behind the last character."""


@frozen
class Chain:
    """One expression behind the other."""

    parts: tuple["Expression", ...]


@frozen
class Choice:
    """Any one of the branches."""

    branches: tuple["Expression", ...]


@frozen
class Repeat:
    """The same expression several times; `most` is None when there is no upper limit."""

    part: "Expression"
    least: int
    most: int | None


Expression = Characters | Start | End | Chain | Choice | Repeat

ANYTHING = Characters((), negated=True)


def literal(character: str) -> Characters:
    """Return the expression for just this character."""
    return Characters(((character, character),))


def size(expression: Expression) -> int:
    """Return about how many states an automaton needs for it; repetitions count as written out."""
    match expression:
        case Chain(parts) | Choice(parts):
            return 1 + sum(size(part) for part in parts)
        case Repeat(part, least, most):
            return 1 + size(part) * max(least + 1 if most is None else most, 1)
        case _:
            return 1


def render(expression: Expression) -> str:
    """Return a regular expression that Python's `re` and PostgreSQL's `~` understand in the same way.

    It is to be searched for, not matched as a whole.
    """
    match expression:
        case Characters():
            return _characters(expression)
        case Start():
            return r"\A"
        case End():
            return r"\Z"
        case Chain(parts):
            return "".join(_grouped(part, Choice) for part in parts)
        case Choice(branches):
            return "|".join(render(branch) for branch in branches)
        case Repeat(part, least, most):
            return _grouped(part, Choice, Chain, Repeat) + _quantifier(least, most)


def _grouped(expression: Expression, *kinds: type) -> str:
    text = render(expression)
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
    # A backslash takes every meaning from ASCII punctuation, and gives one to letters and digits.
    plain = not character.isascii() or character.isalnum() or character in "_/" or not character.isprintable()
    return character if plain else f"\\{character}"
