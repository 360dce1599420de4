"""Properties of custom events: values with counts, numbers with sum, average and median (docs/read/properties.md)."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import reduce
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.goals.goal import EventRule
from footfall.domain.goals.matching import decimal_text, matcher
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.buckets import BucketSize, bucket_finder, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.breakdown import valued_visits
from footfall.domain.traffic.dimensions import Family
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.hit_attributes import keys_of_hit
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

# The most frequent values are named up to this number; the others are counted together.
MOST_VALUES = 1000
# Numbers are added up with this many digits after the point, and with at most 18 before it.
DIGITS = 9
NUMBER = r"-?[0-9]{1,18}([.][0-9]+)?"

_NUMBER = re.compile(NUMBER)
_STEP = Decimal(1).scaleb(-DIGITS)
# Each number has at most 28 digits; the usual context would round the sum of a few of them to as many.
_EXACT = Context(prec=60)


@frozen
class PropertyCount:
    """A property with the events that have it, and the sessions of these."""

    key: str
    count: int
    sessions: int


@frozen
class PropertyValue:
    """A value of a property by type: string, number, boolean, null, array or object; the last three are empty texts."""

    type: str
    value: str
    count: int
    sessions: int


@frozen
class Sum:
    """The number of values that are numbers, and their exact sum."""

    count: int = 0
    sum: Decimal = Decimal(0)

    @property
    def average(self) -> float | None:
        """The mean; None without numbers."""
        return float(self.sum / self.count) if self.count else None


@frozen
class Numbers(Sum):
    """The same with the median of the numbers by nearest rank."""

    median: Decimal | None = None


@frozen
class PropertyValues:
    """The chosen values of a property, the most frequent first: at most 1,000 of `chosen` different ones.

    The other figures are those of all values: `distinct` different ones, `count` events with the property, `other` of
    them with values beyond the first 1,000, and the numbers.
    """

    values: Sequence[PropertyValue]
    chosen: int
    distinct: int
    count: int
    other: int
    numbers: Numbers


@frozen
class NumberPoint:
    """The numbers of a bucket that begins at `time`: how many, and their sum."""

    time: datetime
    count: int
    sum: Decimal


def event_properties(
    event: EventRule,
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    *,
    choice: RowChoice = EVERY_ROW,
) -> list[PropertyCount]:
    """Return the chosen properties of the events that satisfy a rule, the most frequent first, ties by key."""
    events = _events(event, hits, period, filters)
    return _counted_keys(((session_id, hit.properties or {}) for session_id, hit in events), choice)


def keys_of_family(
    family: Family,
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    *,
    choice: RowChoice = EVERY_ROW,
) -> list[PropertyCount]:
    """Return the chosen keys of a family of dimensions with the hits that have them, in the same order."""
    inside = (
        (visit.session.session_id, recorded.hit)
        for visit in select_visits(hits, period, filters)
        for recorded in hits_in_period(visit, period)
        if recorded.hit.type in family.of
    )
    return _counted_keys(((session_id, keys_of_hit(hit, family)) for session_id, hit in inside), choice)


def property_values(
    event: EventRule,
    key: str,
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    *,
    choice: RowChoice = EVERY_ROW,
) -> PropertyValues:
    """Return the values of a property: most frequent first, ties by type and value.

    A search finds values beyond the first 1,000, too.
    """
    counts: dict[tuple[str, str], int] = {}
    sessions: dict[tuple[str, str], set[int]] = {}
    numbers: list[Decimal] = []
    for session_id, value in _values(event, key, hits, period, filters):
        typed = typed_value(value)
        counts[typed] = counts.get(typed, 0) + 1
        sessions.setdefault(typed, set()).add(session_id)
        if (number := number_of(value)) is not None:
            numbers.append(number)
    rows = [PropertyValue(*typed, count, len(sessions[typed])) for typed, count in counts.items()]
    ranked = sorted(rows, key=lambda row: (-row.count, row.type, row.value))
    other = sum(row.count for row in ranked[MOST_VALUES:])
    chosen = [row for row in ranked if choice.is_in(row.value)]
    return PropertyValues(
        values=chosen[:MOST_VALUES],
        chosen=len(chosen),
        distinct=len(ranked),
        count=sum(counts.values()),
        other=other,
        numbers=_summary(numbers),
    )


def property_series(
    event: EventRule,
    key: str,
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    filters: Iterable[Filter] = (),
) -> list[NumberPoint]:
    """Return the numbers of a property in every bucket of the period, ascending.

    Raises:
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    buckets = split_into_buckets(period, size, zone)
    find = bucket_finder(buckets)
    inside: list[list[Decimal]] = [[] for _ in buckets]
    for _, hit in _events(event, hits, period, filters):
        number = number_of((hit.properties or {}).get(key))
        if number is not None:
            inside[find(hit.occurred_at)].append(number)
    return [
        NumberPoint(bucket.time, len(numbers), add_up(numbers))
        for bucket, numbers in zip(buckets, inside, strict=True)
    ]


def sums_by_value(
    event: EventRule,
    keys: Collection[str],
    by: str,
    among: Collection[str],
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
    groups: PageGroups = UNGROUPED,
) -> dict[tuple[str, str], Sum]:
    """Return the sums of properties by values of an attribute: those of the sessions that `break_down` counts there.

    They are named by value and property. The numbers are those of all events in the period that satisfy the rule,
    wherever in a session with the value, so that a session with several paths is in the sum of each. A value without
    numbers is absent.
    """
    matches = matcher(event)
    sessions: dict[str, dict[int, Visit]] = {}
    for value, visit in valued_visits(hits, by, period, filters, groups):
        if value in among:
            sessions.setdefault(value, {})[visit.session.session_id] = visit
    events = {
        value: [
            recorded.hit
            for visit in visits.values()
            for recorded in hits_in_period(visit, period)
            if matches(recorded.hit)
        ]
        for value, visits in sessions.items()
    }
    values = {(value, key): _numbers(of_value, key) for value, of_value in events.items() for key in keys}
    return {place: Sum(len(numbers), add_up(numbers)) for place, numbers in values.items() if numbers}


def property_numbers(
    event: EventRule,
    keys: Collection[str],
    hits: Iterable[RecordedHit],
    period: Period,
    filters: Iterable[Filter] = (),
) -> dict[str, Numbers]:
    """Return the numbers of properties, as `property_values` has them; a property without numbers is absent."""
    events = [hit for _, hit in _events(event, hits, period, filters)]
    summaries = {key: _summary(_numbers(events, key)) for key in keys}
    return {key: numbers for key, numbers in summaries.items() if numbers.count}


def named_on(page: Page) -> int:
    """Return how many values a page names at most: the first 1,000 are named."""
    return max(0, min(page.size, MOST_VALUES - page.offset))


def typed_value(value: Any) -> tuple[str, str]:
    """Return the type of a value and its text: numbers as plain decimals, so that 12 and 12.0 are one value."""
    match value:
        case bool():
            return "boolean", "true" if value else "false"
        case str():
            return "string", value
        case int() | float():
            return "number", decimal_text(value) or ""
        case None:
            return "null", ""
        case _:
            return ("array" if isinstance(value, list | tuple) else "object"), ""


def number_of(value: Any) -> Decimal | None:
    """Return the number that a value counts as, rounded to nine places; None for other values.

    A text that is a JSON number counts as one, as in the rules of goals. Numbers with more than 18 digits before the
    point are not added up.
    """
    text = decimal_text(value)
    if text is None or not _NUMBER.fullmatch(text):
        return None
    return Decimal(text).quantize(_STEP, ROUND_HALF_UP)


def _counted_keys(
    keys_of_hits: Iterable[tuple[int, Collection[str]]], choice: RowChoice
) -> list[PropertyCount]:
    counts: dict[str, int] = {}
    sessions: dict[str, set[int]] = {}
    for session_id, keys in keys_of_hits:
        for key in keys:
            counts[key] = counts.get(key, 0) + 1
            sessions.setdefault(key, set()).add(session_id)
    chosen = {key: count for key, count in counts.items() if choice.is_in(key)}
    rows = [PropertyCount(key, count, len(sessions[key])) for key, count in chosen.items()]
    return sorted(rows, key=lambda row: (-row.count, row.key))


def _numbers(events: Iterable[Hit], key: str) -> list[Decimal]:
    values = [number_of((hit.properties or {}).get(key)) for hit in events]
    return [number for number in values if number is not None]


def _summary(numbers: Sequence[Decimal]) -> Numbers:
    if not numbers:
        return Numbers()
    return Numbers(len(numbers), add_up(numbers), sorted(numbers)[(len(numbers) - 1) // 2])


def add_up(numbers: Iterable[Decimal]) -> Decimal:
    """Return the exact sum of numbers."""
    return reduce(_EXACT.add, numbers, Decimal(0))


def _values(
    event: EventRule, key: str, hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter]
) -> Iterator[tuple[int, Any]]:
    for session_id, hit in _events(event, hits, period, filters):
        if key in (hit.properties or {}):
            yield session_id, (hit.properties or {})[key]


def _events(
    event: EventRule, hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter]
) -> Iterator[tuple[int, Hit]]:
    matches = matcher(event)
    for visit in select_visits(hits, period, filters):
        for recorded in hits_in_period(visit, period):
            if matches(recorded.hit):
                yield visit.session.session_id, recorded.hit
