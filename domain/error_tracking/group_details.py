"""The details of a group of errors: stacks, where it occurs, and who met it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from attrs import frozen

from footfall.domain.error_tracking.aggregation import occurrences_in
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import stack_number
from footfall.domain.error_tracking.grouping import hit_group
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import select_visits

Value = TypeVar("Value", str, int)

MOST_STACKS = 20
MOST_VALUES = 10
MOST_SESSIONS = 10


@frozen
class StackCount:
    """The occurrences with one stack; `latest` is the newest of them."""

    number: int
    count: int
    latest: Occurrence


@frozen
class ValueCount:
    """The occurrences with one value of an attribute; an unknown value is empty."""

    value: str
    count: int


@frozen(kw_only=True)
class GroupDetails:
    """The occurrences of a group in a period, the most frequent values first, ties by value or number.

    `stacks` are at most 20 of `distinct_stacks`; `browsers`, `pages` and `releases` at most ten each. `latest` holds
    the newest occurrence of each of the ten sessions that met the error last, newest first.
    """

    stacks: Sequence[StackCount]
    distinct_stacks: int
    browsers: Sequence[ValueCount]
    pages: Sequence[ValueCount]
    releases: Sequence[ValueCount]
    latest: Sequence[Occurrence]


def describe_group(
    hits: Iterable[RecordedHit],
    group: str,
    period: Period,
    decisions: ErrorDecisions,
    *,
    filters: Iterable[Filter] = (),
) -> GroupDetails:
    """Return the details of a group in a period; of one that did not occur in it all are empty."""
    occurrences = [
        occurrence
        for occurrence in occurrences_in(select_visits(hits, period, filters), period)
        if hit_group(occurrence.hit, decisions) == group
    ]
    newest = sorted(occurrences, key=attrgetter("moment"), reverse=True)
    stacks = Counter(stack_number(occurrence.details) for occurrence in occurrences)
    latest_of = {stack_number(occurrence.details): occurrence for occurrence in reversed(newest)}
    by_session = {occurrence.session_id: occurrence for occurrence in reversed(newest)}
    return GroupDetails(
        stacks=[StackCount(number, count, latest_of[number]) for number, count in _most(stacks, MOST_STACKS)],
        distinct_stacks=len(stacks),
        browsers=_values(occurrence.hit.browser for occurrence in occurrences),
        pages=_values(occurrence.hit.pathname for occurrence in occurrences),
        releases=_values(occurrence.hit.release for occurrence in occurrences),
        latest=sorted(by_session.values(), key=attrgetter("moment"), reverse=True)[:MOST_SESSIONS],
    )


def _values(values: Iterable[str | None]) -> list[ValueCount]:
    counts = Counter(value or "" for value in values)
    return [ValueCount(value, count) for value, count in _most(counts, MOST_VALUES)]


def _most(counts: Counter[Value], most: int) -> list[tuple[Value, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
