"""Locks between the processes of a node, which end with the process that holds them."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

POLL_SECONDS = 0.2


@asynccontextmanager
async def holding(path: Path, *, within: float | None = None) -> AsyncIterator[bool]:
    """Hold the lock of a file; false is lent when another process still holds it after `within` seconds.

    Without a limit this waits for as long as it takes.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        acquired = await _acquired(descriptor, within)
        yield acquired
        if acquired:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


async def _acquired(descriptor: int, within: float | None) -> bool:
    waited = 0.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if within is not None and waited >= within:
                return False
        else:
            return True
        await asyncio.sleep(POLL_SECONDS)
        waited += POLL_SECONDS
