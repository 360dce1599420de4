"""Commands whose work is on the journal, or on the traffic logs, and whose result is printed."""

import os
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any

from footfall.entrypoints.cli.output import json_option
from footfall.entrypoints.composition.stores import with_journal, with_traffic
from footfall.entrypoints.settings import read_settings

# The work of a command, which takes what it is on, and the parameters.
Work = Callable[..., Awaitable[Any]]
Decorator = Callable[[Work], Callable[..., None]]


def on_journal(show: Callable[..., None]) -> Decorator:
    """Return a decorator that opens the journal for a command, and prints what it returns by a function of output.

    The command has the flag `--json`.
    """
    return partial(_command, with_journal, show)


def on_traffic(show: Callable[..., None]) -> Decorator:
    """Return a decorator that does the same with the traffic logs."""
    return partial(_command, with_traffic, show)


def _command(open_for: Callable[..., Any], show: Callable[..., None], work: Work) -> Callable[..., None]:
    @wraps(work)
    def command(*, as_json: bool, **arguments: Any) -> None:
        show(open_for(read_settings(os.environ), lambda lent: work(lent, **arguments)), as_json=as_json)

    return json_option(command)
