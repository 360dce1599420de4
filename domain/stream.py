"""Folding a stream of events into a state."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeVar

from attrs import frozen

State = TypeVar("State")
Event = TypeVar("Event")


@frozen
class Erased:
    """What is left of an event whose content was erased for good: which type it was of. Nothing follows from it."""

    type: str


@frozen
class FromNewer:
    """What a version can read of an event that a newer one has written: its type. What follows from it is not known."""

    type: str


def fold(apply: Callable[[State, Event], State], events: Iterable[Event], start: State) -> State:
    """Return the state that the events lead to, beginning at `start`; what cannot be read leads nowhere."""
    return reduce(apply, (event for event in events if not isinstance(event, Erased | FromNewer)), start)
