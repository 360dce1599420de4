"""Keeps a client usable in a process that was forked from the one that made it."""

import os
import weakref
from collections.abc import Callable
from functools import cache

_METHODS: set[weakref.WeakMethod[Callable[[], None]]] = set()


def on_fork(method: Callable[[], None]) -> None:
    """Call a bound method in every forked child of this process, as long as its object lives.

    A child shares the connections of its parent, has none of its threads, and inherits its locks in any state.
    """
    _METHODS.add(weakref.WeakMethod(method, _METHODS.discard))
    _listen()


@cache
def _listen() -> None:
    # The interpreter keeps what it calls after a fork for ever: one function for all objects.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_in_child)


def _in_child() -> None:
    for reference in tuple(_METHODS):
        if (alive := reference()) is not None:
            alive()
