"""Folding a stream of events into a state."""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import TypeVar

State = TypeVar("State")
Event = TypeVar("Event")


def fold(apply: Callable[[State, Event], State], events: Iterable[Event], start: State) -> State:
    """Return the state that the events lead to, beginning at `start`."""
    return reduce(apply, events, start)
