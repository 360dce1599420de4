"""Segments: named sets of conditions that reports take as filters (docs/read/segments.md)."""

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from footfall.domain.event_stream import without
from footfall.domain.exceptions import SegmentNotFound, TooManySegments, existing
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_SEGMENTS = 100


@frozen
class Condition:
    """A filter as it is written: the name of a parameter, a type of comparison, and the values that it accepts."""

    parameter: str
    type: str
    values: tuple[str, ...]


@frozen
class Segment:
    """A named set of conditions; `owner` is the user whose personal segment it is, None for one of the site."""

    name: str
    owner: str | None
    conditions: tuple[Condition, ...]


@frozen
class SegmentDefined:
    """A segment was defined; its number is unique on its site."""

    number: int
    name: str
    owner: str | None
    conditions: tuple[Condition, ...]


@frozen
class SegmentRedefined:
    """The name and the conditions of a segment were replaced."""

    number: int
    name: str
    conditions: tuple[Condition, ...]


@frozen
class SegmentDeleted:
    """A segment was deleted; its number is not used again."""

    number: int


SegmentEvent = SegmentDefined | SegmentRedefined | SegmentDeleted


@frozen
class Segments:
    """The segments of a site by their numbers, and the highest number that was ever given."""

    present: Mapping[int, Segment] = field(factory=dict)
    last: int = 0


def define(
    state: Segments, *, name: str, owner: str | None, conditions: Sequence[Condition]
) -> list[SegmentEvent]:
    """Decide a new segment, of the site or of one user.

    Raises:
        Invalid: `shown_name` refuses the name.
        TooManySegments: the site, or the user, has 100 segments.

    """
    name = shown_name("name", name, maximum=MAX_NAME)
    if sum(segment.owner == owner for segment in state.present.values()) >= MAX_SEGMENTS:
        raise TooManySegments(MAX_SEGMENTS)
    return [SegmentDefined(state.last + 1, name, owner, tuple(conditions))]


def redefine(
    state: Segments, number: int, *, name: str, conditions: Sequence[Condition]
) -> list[SegmentEvent]:
    """Decide another name and other conditions of a segment; unchanged values give no event.

    Raises:
        SegmentNotFound: there is no such segment.
        Invalid: `shown_name` refuses the name.

    """
    segment = _existing(state, number)
    name = shown_name("name", name, maximum=MAX_NAME)
    if (name, tuple(conditions)) == (segment.name, segment.conditions):
        return []
    return [SegmentRedefined(number, name, tuple(conditions))]


def delete(state: Segments, number: int) -> list[SegmentEvent]:
    """Decide that a segment is deleted.

    Raises:
        SegmentNotFound: there is no such segment.

    """
    _existing(state, number)
    return [SegmentDeleted(number)]


def apply(state: Segments, event: SegmentEvent) -> Segments:
    """Return the segments after an event; accepts every event of the history."""
    match event:
        case SegmentDefined(number, name, owner, conditions):
            present = {**state.present, number: Segment(name, owner, conditions)}
            return Segments(present, max(state.last, number))
        case SegmentRedefined(number, name, conditions) if number in state.present:
            changed = evolve(state.present[number], name=name, conditions=conditions)
            return evolve(state, present={**state.present, number: changed})
        case SegmentDeleted(number):
            return evolve(state, present=without(state.present, number))
        case SegmentRedefined():
            return state


def _existing(state: Segments, number: int) -> Segment:
    return existing(state.present.get(number), SegmentNotFound)
