"""Background tasks for the length of a block."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from footfall.entrypoints.composition.background import Background


@contextlib.asynccontextmanager
async def in_background(**tasks: Callable[[], Awaitable[None]]) -> AsyncIterator[Background]:
    """Run tasks under their names until the block ends."""
    background = Background(tasks)
    background.start()
    try:
        yield background
    finally:
        await background.stop()
