"""The process that started this one, without which it is of no use."""

import asyncio
import os
import sys


def end_with_parent() -> None:
    """End this process at once when its standard input is closed, which a parent keeps open while it lives."""
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _end_at_the_end_of_input)


def _end_at_the_end_of_input() -> None:
    if not os.read(sys.stdin.fileno(), 1):
        # Queries that run are of no use to anything: their threads are not waited for.
        os._exit(0)
