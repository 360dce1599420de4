"""Waiting for what is sure to come, however much else the machine does."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

# Only what never comes takes this long.
LONG = 60.0


def wait_until(condition: Callable[[], Any], *, seconds: float = LONG) -> Any:
    """Return what the condition says when it holds."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.01)
    return found


async def until(condition: Callable[[], Any], *, seconds: float = LONG) -> Any:
    """Do the same without holding up the event loop."""
    async with asyncio.timeout(seconds):
        while not (found := condition()):
            await asyncio.sleep(0.01)
    return found
