"""Actions on processes that may end by themselves meanwhile."""

import contextlib
import signal
from collections.abc import Iterable

import psutil


def children_of(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that it has begun; none when it has ended."""
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []


def runs_as(process: psutil.Process, name: str) -> bool:
    """Whether it has not ended and is called so."""
    try:
        return process.name() == name and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def signal_all(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to each; one that has ended since it was listed needs none.

    The processes of PostgreSQL end together: with the first that is killed, others begin to leave.
    """
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
