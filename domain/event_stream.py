"""Folding a stream of events into a state."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import TypeVar

from attrs import frozen

State = TypeVar("State")
Event = TypeVar("Event")
Key = TypeVar("Key")
Value = TypeVar("Value")


@frozen
class ErasedEvent:
    """An event whose content was erased: only its type is left, and it changes no state."""

    type: str


@frozen
class UnknownEvent:
    """An event of a newer version, of which this version can read the type only; its effect is unknown."""

    type: str


@frozen
class Unreadable:
    """An event whose content cannot be read: only its type is known, and its stream is set aside."""

    type: str


_WITHOUT_CONTENT = (ErasedEvent, UnknownEvent, Unreadable)


def fold(
    apply: Callable[[State | None, Event], State | None],
    events: Iterable[Event],
    start: State | None = None,
) -> State | None:
    """Return the state after the events, beginning at `start`; None is the state of a stream without events.

    Events without content are skipped.
    """
    return reduce(apply, (event for event in events if not isinstance(event, _WITHOUT_CONTENT)), start)


def without(mapping: Mapping[Key, Value], *keys: object) -> dict[Key, Value]:
    """Return the entries of a mapping, but for those of some keys."""
    return {key: value for key, value in mapping.items() if key not in keys}
