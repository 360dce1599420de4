"""What a page about a group of errors shows: stacks, where it occurs, who met it, and the trail before it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from attrs import frozen

from footfall.domain.error_tracking.aggregation import occurrences_in
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import stack_number
from footfall.domain.error_tracking.grouping import hit_group
from footfall.domain.error_tracking.occurrence import Occurrence, error_message
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import visits

Value = TypeVar("Value", str, int)

MOST_STACKS = 20
MOST_VALUES = 10
MOST_SESSIONS = 10
LONGEST_TRAIL = 50


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
    found = [
        one
        for one in occurrences_in(select_visits(hits, period, filters), period)
        if hit_group(one.hit, decisions) == group
    ]
    newest = sorted(found, key=_moment, reverse=True)
    stacks = Counter(stack_number(one.details) for one in found)
    latest_of = {stack_number(one.details): one for one in reversed(newest)}
    by_session = {one.session_id: one for one in reversed(newest)}
    return GroupDetails(
        stacks=[StackCount(number, count, latest_of[number]) for number, count in _most(stacks, MOST_STACKS)],
        distinct_stacks=len(stacks),
        browsers=_values(one.hit.browser for one in found),
        pages=_values(one.hit.pathname for one in found),
        releases=_values(one.hit.release for one in found),
        latest=sorted(by_session.values(), key=_moment, reverse=True)[:MOST_SESSIONS],
    )


def trail(hits: Iterable[RecordedHit], session_id: int, end: tuple[datetime, int]) -> list[RecordedHit]:
    """Return what happened in a session up to a moment, a time and a position: the last 50 hits, by time.

    Performance measures are no steps of a visitor and are left out.
    """
    visit = next((one for one in visits(hits) if one.session.session_id == session_id), None)
    steps = [one for one in visit.hits if one.hit.type is not HitType.PERFORMANCE] if visit else []
    by_time = sorted(steps, key=lambda one: (one.hit.occurred_at, one.position))
    return [one for one in by_time if (one.hit.occurred_at, one.position) <= end][-LONGEST_TRAIL:]


def step_text(recorded: RecordedHit) -> str:
    """Return what a step is about: the title, the name of the event, the address, or the message."""
    hit = recorded.hit
    match hit.type:
        case HitType.CUSTOM_EVENT:
            return hit.event_name or ""
        case HitType.OUTBOUND:
            url = (hit.properties or {}).get("url")
            return url if isinstance(url, str) else ""
        case HitType.ERROR:
            return error_message(hit)
        case HitType.PAGEVIEW | HitType.PERFORMANCE:
            return hit.page_title or ""


def _moment(one: Occurrence) -> tuple[datetime, int]:
    return one.hit.occurred_at, one.position


def _values(values: Iterable[str | None]) -> list[ValueCount]:
    counts = Counter(value or "" for value in values)
    return [ValueCount(value, count) for value, count in _most(counts, MOST_VALUES)]


def _most(counts: Counter[Value], most: int) -> list[tuple[Value, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
