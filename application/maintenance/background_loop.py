"""Loops of background jobs: work is repeated until cancelled, and done in slices with rests between them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from footfall.application.ports.journal import StoreUnavailable

HOUR = 3600.0

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


async def repeat(
    work: Callable[[], Awaitable[object]],
    *,
    seconds: float,
    delayed: str,
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Do the work again and again until cancelled, with so many seconds in between, or as `rest` takes them.

    While the store does not answer, the line `delayed` is logged and the work is tried again after the same time.
    """
    while True:
        try:
            await work()
        except StoreUnavailable:
            _log.warning(delayed)
        await rest(seconds)


async def with_rest(piece: Awaitable[Result], rest: float) -> Result:
    """Return the result of a slice of work, after a rest that lasts `rest` times as long as the slice.

    Raises:
        StoreUnavailable: the slice raised it.

    """
    started = time.perf_counter()
    result = await piece
    await asyncio.sleep((time.perf_counter() - started) * rest)
    return result
