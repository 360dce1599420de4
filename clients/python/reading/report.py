"""A report: its parameters, its pages, and the types of its columns."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from string import Formatter
from types import NoneType, UnionType
from typing import Any, Final, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from attrs import evolve, field, frozen

MOST_ROWS: Final = 10_000
_MOST_STEPS = 1_000
# Columns whose property in the JSON answer is an object or a list, or which it does not have.
_OTHERS: Mapping[tuple[str, str], type] = {
    ("breakdown", "previous"): int,
    ("outbound", "previous"): int,
    ("funnels/{funnel}", "previous"): int,
    ("funnels/{funnel}", "step"): int,
    ("retention", "previous"): float,
}
# Rows of services have no bot.
_OF_SOME_ROWS = frozenset({("bots", "bot"), ("bots", "purpose")})
_LEAVES = (bool, int, float, Decimal, datetime, date)


@frozen
class ColumnType:
    """What the texts of a column are; an empty cell is null, but in a text that the service never leaves out."""

    python: type = str
    nullable: bool = False


@frozen
class Report:
    """A report by its path below the site, with the generated types of its parameters and of its JSON answer."""

    name: str
    parameters: Any
    answer: Any
    paging: Literal["page", "cursor"] | None
    _types: dict[str, ColumnType] = field(factory=dict, init=False, repr=False, eq=False)

    @property
    def path_parameters(self) -> list[str]:
        """The parameters that are part of the path."""
        return [name for _, name, _, _ in Formatter().parse(self.name) if name]

    @property
    def required(self) -> list[str]:
        """The parameters that a call has to have."""
        return [name for name, _, needed in _fields(self.parameters) if needed]

    @property
    def most_rows(self) -> int:
        """The most rows of one answer in CSV."""
        return _MOST_STEPS if self.name == "sessions/{session}" else MOST_ROWS

    @property
    def headings(self) -> int:
        """The rows above those of each page, which are the same on all of them."""
        return 1 if self.name == "web-vitals" else 0

    @property
    def has_past(self) -> bool:
        """Whether it can be asked as of an earlier state."""
        return "as_of" in self.parameters.__annotations__

    def check(self, parameters: Iterable[str]) -> None:
        """Check the names of parameters.

        Raises:
            TypeError: one is unknown, or a required one is missing.

        """
        names, known = set(parameters), self.parameters.__annotations__
        if unknown := sorted(names - known.keys()):
            raise TypeError(f"{self.name} has no parameter {unknown[0]!r}; it has {', '.join(known)}")
        if missing := [name for name in self.required if name not in names]:
            raise TypeError(f"{self.name} needs the parameter {missing[0]!r}")

    def column(self, name: str) -> ColumnType:
        """Return the type of a column: that of the property of this name in the JSON answer, else a text."""
        if other := _OTHERS.get((self.name, name)):
            return ColumnType(other)
        found = self._described.get(name, ColumnType())
        return evolve(found, nullable=True) if (self.name, name) in _OF_SOME_ROWS else found

    def knows(self, name: str) -> bool:
        """Return whether the JSON answer, or the list beside it, has a column."""
        return name in self._described or (self.name, name) in _OTHERS

    @property
    def _described(self) -> Mapping[str, ColumnType]:
        if not self._types:
            self._types.update(_columns(self.answer))
        return self._types


def _fields(kind: Any) -> list[tuple[str, Any, bool]]:
    """Return the fields of a typed dictionary: the name, the type, and whether it is required."""
    # Its own sets of keys ignore NotRequired in annotations that are texts.
    hints = get_type_hints(kind, include_extras=True)
    return [
        (name, get_args(hint)[0], False) if get_origin(hint) is NotRequired else (name, hint, True)
        for name, hint in hints.items()
    ]


def _columns(answer: Any) -> dict[str, ColumnType]:
    found = dict(reversed(list(_properties(answer, (), nullable=False))))
    short = {name[-1]: kind for name, kind in reversed(found.items())}
    return short | {"_".join(name): kind for name, kind in found.items()}


def _properties(
    kind: Any, name: tuple[str, ...], *, nullable: bool
) -> Iterable[tuple[tuple[str, ...], ColumnType]]:
    """Yield the properties below a type by their names: those of an object joined, as in CSV, of a list as rows."""
    if is_typeddict(kind):
        for key, inner, needed in _fields(kind):
            yield from _properties(inner, (*name, key), nullable=nullable or not needed)
    elif get_origin(kind) is list:
        yield from _properties(get_args(kind)[0], (), nullable=False)
    elif get_origin(kind) in (Union, UnionType):
        kinds = [one for one in get_args(kind) if one is not NoneType]
        nullable = nullable or len(kinds) < len(get_args(kind))
        if len(kinds) == 1 or any(map(is_typeddict, kinds)):
            for one in kinds:
                yield from _properties(one, name, nullable=nullable or len(kinds) > 1)
        else:
            yield name, ColumnType(nullable=nullable)
    elif name:
        yield name, ColumnType(kind if kind in _LEAVES else str, nullable=nullable)
