"""Commands whose work is on the journal, and whose result is printed."""

import os
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.settings import read_settings

# The work of a command, which takes the journal and the parameters.
Work = Callable[..., Awaitable[Any]]


def on_journal(show: Callable[..., None]) -> Callable[[Work], Callable[..., None]]:
    """Return a decorator that opens the journal for a command, and prints what it returns by a function of output."""

    def decorate(work: Work) -> Callable[..., None]:
        @wraps(work)
        def command(*, as_json: bool, **arguments: Any) -> None:
            show(
                with_journal(read_settings(os.environ), lambda journal: work(journal, **arguments)),
                as_json=as_json,
            )

        return command

    return decorate
