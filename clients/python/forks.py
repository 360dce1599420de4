"""Keeps a client usable in a process that was forked from the one that made it."""

import os
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

Owner = TypeVar("Owner")

# By object and not `WeakMethod`, which prints an exception at the end of a program whose objects die with it.
_METHODS: weakref.WeakKeyDictionary[object, Callable[[Any], None]] = weakref.WeakKeyDictionary()


def on_fork(owner: Owner, method: Callable[[Owner], None]) -> None:
    """Call a method of an object, one for each, in every forked child of this process, as long as the object lives.

    A child shares the connections of its parent, has none of its threads, and inherits its locks in any state.
    """
    _METHODS[owner] = method
    _listen()


@cache
def _listen() -> None:
    # The interpreter keeps what it calls after a fork for ever: one function for all objects.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_in_child)


def _in_child() -> None:
    for owner, method in tuple(_METHODS.items()):
        method(owner)
