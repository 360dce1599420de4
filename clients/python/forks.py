"""Keeps a client usable in a process that was forked from the one that made it."""

import os
import weakref
from collections.abc import Callable


def on_fork(method: Callable[[], None]) -> None:
    """Call a bound method in every forked child of this process, as long as its object lives.

    A child shares the connections of its parent, has none of its threads, and inherits its locks in any state.
    """
    reference = weakref.WeakMethod(method)

    def in_child() -> None:
        if (alive := reference()) is not None:
            alive()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=in_child)
