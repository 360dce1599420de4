"""Definitions of figures that have been changed, and their numbers in citations.

See docs/read/programs/citations.md#definitions.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from attrs import asdict, frozen

from footfall.domain.exceptions import DomainError, Invalid
from footfall.domain.traffic.filters import Filter, single_conditions


class Definition(StrEnum):
    """The definitions that were changed: each is a field of `Definitions` of the same name."""

    COMPARISONS = "comparisons"
    FILTERS = "filters"
    SESSIONS = "sessions"
    VITALS = "vitals"

    @property
    def subject(self) -> str:
        """The figures that it defines, for messages."""
        return _SUBJECTS[self]


_SUBJECTS = {
    Definition.COMPARISONS: "comparisons",
    Definition.FILTERS: "filters by event_name",
    Definition.SESSIONS: "sessions",
    Definition.VITALS: "web vitals",
}


@frozen(kw_only=True)
class Definitions:
    """The numbers of the definitions that an answer is made by; positions that lack one mean the first one."""

    # Since 2 a period that is not over is compared with the part of the other one up to the same time, and no longer
    # with the whole of it. Answers by 1 are still given: only the compared period differs.
    comparisons: int = 1
    # Since 2 a filter by `event_name` finds custom events only, and no longer errors by their classes.
    filters: int = 1
    # Since 2 sessions are formed in the order of the times of hits, and no longer in that of the log.
    sessions: int = 1
    # Since 2 measures are rounded up, and no longer to the nearest ten-thousandth first.
    vitals: int = 1

    def __iter__(self) -> Iterator[tuple[Definition, int]]:
        """Return each definition with its number."""
        return ((Definition(name), number) for name, number in asdict(self).items())

    def __getitem__(self, definition: Definition) -> int:
        """Return the number of a definition."""
        return int(getattr(self, definition.value))


# The definitions of today, by which every answer is made.
PRESENT = Definitions(comparisons=2, filters=2, sessions=2, vitals=2)
# The definitions that reports use: most of them, and those on web vitals, which count measures and no sessions.
OF_REPORTS = frozenset({Definition.SESSIONS})
OF_VITALS = frozenset({Definition.VITALS})


def of_filters(filters: Iterable[Filter]) -> frozenset[Definition]:
    """Return the definitions that a report uses for its filters."""
    names = {condition.parameter for condition in single_conditions(filters)}
    of_names = {Definition.FILTERS} if "event_name" in names else set()
    return frozenset({Definition.SESSIONS, *of_names} if names else ())


@frozen
class Redefinition:
    """A definition that has changed since an answer."""

    definition: Definition
    before: int
    after: int


class RedefinedSince(DomainError):
    """A definition that the answer uses has changed since; the message names it."""


def redefined(earlier: Definitions, uses: frozenset[Definition]) -> list[Redefinition]:
    """Return which of the definitions that a report uses have changed since an answer."""
    return [
        Redefinition(definition, number, PRESENT[definition])
        for definition, number in earlier
        if definition in uses and number != PRESENT[definition]
    ]


def require_unchanged(earlier: Definitions, uses: frozenset[Definition]) -> None:
    """Refuse an answer by definitions of former versions.

    Raises:
        RedefinedSince: a definition that the report uses has changed since.

    """
    for new in redefined(earlier, uses):
        raise RedefinedSince(
            f"The definition of {new.definition.subject} has changed since, from {new.before} to {new.after}: this "
            "answer cannot be given again. An instant instead of positions is answered by the definition of today"
        )


def require_known(definitions: Definitions) -> None:
    """Refuse numbers of definitions that no answer has had yet.

    Raises:
        Invalid: a number is 0, or larger than that of today; the error names `as_of`.

    """
    for definition, number in definitions:
        if not 1 <= number <= PRESENT[definition]:
            accepted = f"{definition.value} from 1 to {PRESENT[definition]}"
            rule = f"names definition {number} of {definition.subject}; accepted is {accepted}"
            raise Invalid({"as_of": [rule]})
