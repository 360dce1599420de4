"""What tests do to processes that may end by themselves meanwhile."""

import contextlib
import signal
from collections.abc import Iterable

import psutil


def signal_all(processes: Iterable[psutil.Process], number: signal.Signals) -> None:
    """Send a signal to each; one that has ended since it was listed needs none.

    The processes of PostgreSQL end together: with the first that is killed, others begin to leave.
    """
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)
