"""Parser of regular expressions in the dialect of docs/reports.md#regular-expressions."""

import re

from attrs import define

from footfall.domain.exceptions import Invalid
from footfall.domain.regex.syntax import (
    ANYTHING,
    Chain,
    Characters,
    Choice,
    End,
    Expression,
    Repeat,
    Start,
    literal,
    size,
)

MAX_LENGTH = 200
# The size with repetitions written out. PostgreSQL took up to half a second to prepare a hostile expression of this
# size, and two seconds for one of twice the size.
MAX_STATES = 500
MAX_REPETITIONS = 255  # the limit of PostgreSQL
MAX_DEPTH = 20
_LIMITS = re.compile(r"\{([0-9]{1,3})(?:(,)([0-9]{0,3}))?\}")
_SHORT_LIMITS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_QUANTIFIERS = ("*", "+", "?", "{")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}
# ASCII only: other letters and digits depend on the dialect and on the settings of a database.
_CLASSES = {
    "d": (("0", "9"),),
    "w": (("a", "z"), ("A", "Z"), ("0", "9"), ("_", "_")),
    "s": ((" ", " "), ("\t", "\r")),
}


def parse_expression(text: str, *, field: str) -> Expression:
    r"""Return the syntax tree of a regular expression, which applies to any part of a text.

    Accepted: characters, `.`, `[…]`, `(…)`, `(?:…)`, `|`, `*`, `+`, `?`, `{m,n}`, `^`, `$`, `\d`, `\w`,
    `\s` and their opposites (of ASCII), `\n`, `\t`, and a backslash before punctuation.

    Raises:
        Invalid: other syntax, more than 200 characters, or too many repetitions; the error names `field`.

    """
    if len(text) > MAX_LENGTH:
        raise Invalid({field: [f"a regular expression must be at most {MAX_LENGTH} characters"]})
    reader = _Reader(text, field)
    expression = _choice(reader, depth=0)
    if reader.next:
        raise reader.refusal("a ) without its (")
    if size(expression) > MAX_STATES:
        raise Invalid({field: [f"a regular expression must repeat at most {MAX_STATES} characters in all"]})
    return expression


@define
class _Reader:
    text: str
    field: str
    at: int = 0

    @property
    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        character = self.next
        self.at += 1
        return character

    def skip(self, expected: str) -> bool:
        found = self.text.startswith(expected, self.at)
        self.at += len(expected) if found else 0
        return found

    def refusal(self, problem: str) -> Invalid:
        return Invalid(
            {self.field: [f"not an accepted regular expression: {problem}, near character {self.at}"]}
        )


def _choice(reader: _Reader, *, depth: int) -> Expression:
    if depth > MAX_DEPTH:
        raise reader.refusal(f"more than {MAX_DEPTH} groups within each other")
    branches = [_chain(reader, depth=depth)]
    while reader.skip("|"):
        branches.append(_chain(reader, depth=depth))
    return branches[0] if len(branches) == 1 else Choice(tuple(branches))


def _chain(reader: _Reader, *, depth: int) -> Expression:
    parts = []
    while reader.next not in ("", "|", ")"):
        parts.append(_repeated(reader, depth=depth))
    return parts[0] if len(parts) == 1 else Chain(tuple(parts))


def _repeated(reader: _Reader, *, depth: int) -> Expression:
    part = _part(reader, depth=depth)
    if reader.next not in _QUANTIFIERS:
        return part
    if isinstance(part, Start | End):
        raise reader.refusal("a repeated ^ or $")
    least, most = _limits(reader)
    reader.skip("?")  # laziness does not change whether there is a match
    if reader.next in _QUANTIFIERS:
        raise reader.refusal("a repetition of a repetition without a group")
    return Repeat(part, least, most)


def _limits(reader: _Reader) -> tuple[int, int | None]:
    if reader.next != "{":
        return _SHORT_LIMITS[reader.take()]
    found = _LIMITS.match(reader.text, reader.at)
    if found is None:
        raise reader.refusal(r"a { that is neither {m}, {m,} or {m,n} nor written \{")
    reader.at = found.end()
    least = int(found[1])
    most = int(found[3]) if found[3] else None if found[2] else least
    if not least <= (least if most is None else most) <= MAX_REPETITIONS:
        raise reader.refusal(f"limits that do not ascend up to {MAX_REPETITIONS}")
    return least, most


def _part(reader: _Reader, *, depth: int) -> Expression:
    match reader.take():
        case "(":
            return _group(reader, depth=depth)
        case "[":
            return _class(reader)
        case ".":
            return ANYTHING
        case "\\":
            return _escaped(reader)
        case "^" | "$" as anchor:
            return Start() if anchor == "^" else End()
        case "*" | "+" | "?" | "{":
            raise reader.refusal("a repetition of nothing")
        case character:
            return literal(character)


def _group(reader: _Reader, *, depth: int) -> Expression:
    if reader.skip("?") and not reader.skip(":"):
        raise reader.refusal("a group that begins with (? and is not (?:…)")
    group = _choice(reader, depth=depth + 1)
    if not reader.skip(")"):
        raise reader.refusal("a ( without its )")
    return group


def _escaped(reader: _Reader) -> Expression:
    if reader.next and reader.next in "dwsDWS":
        name = reader.take()
        return Characters(_CLASSES[name.lower()], negated=name.isupper())
    return literal(_escaped_character(reader))


def _escaped_character(reader: _Reader) -> str:
    character = reader.take()
    if character in _CONTROLS:
        return _CONTROLS[character]
    if not character or (character.isascii() and character.isalnum()):
        raise reader.refusal(rf"\{character}")
    return character


def _class(reader: _Reader) -> Expression:
    negated = reader.skip("^")
    ranges: list[tuple[str, str]] = []
    while not reader.skip("]"):
        ranges += _class_ranges(reader)
    if not ranges:
        raise reader.refusal(r"[] with nothing in it; ] is written \]")
    return Characters(tuple(ranges), negated=negated)


def _class_ranges(reader: _Reader) -> tuple[tuple[str, str], ...]:
    if reader.text.startswith(("\\d", "\\w", "\\s"), reader.at):
        reader.at += 2
        return _CLASSES[reader.text[reader.at - 1]]
    first = last = _class_character(reader)
    if reader.next == "-" and not reader.text.startswith("-]", reader.at):
        reader.take()
        last = _class_character(reader)
    if last < first:
        raise reader.refusal(f"a range from {first} down to {last}")
    return ((first, last),)


def _class_character(reader: _Reader) -> str:
    match reader.take():
        case "":
            raise reader.refusal("a [ without its ]")
        case "[":
            raise reader.refusal(r"a [ within brackets; it is written \[")
        case "\\":
            return _escaped_character(reader)
        case character:
            return character
