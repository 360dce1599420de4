"""Performs what a delivery decides: waits, sends, and hands the answer back."""

import asyncio
from collections.abc import Awaitable, Callable

from footfall.client.answer import Answer
from footfall.client.delivery import Attempt, Delivery


def run(delivery: Delivery, send: Callable[[Attempt], Answer], pause: Callable[[float], bool]) -> None:
    """Perform a delivery; stop where it stands once `pause` returns False."""
    attempt = next(delivery, None)
    while attempt is not None and pause(attempt.delay):
        attempt = _following(delivery, send(attempt))


async def run_async(delivery: Delivery, send: Callable[[Attempt], Awaitable[Answer]]) -> None:
    """Perform a delivery on the running event loop."""
    attempt = next(delivery, None)
    while attempt is not None:
        await asyncio.sleep(attempt.delay)
        attempt = _following(delivery, await send(attempt))


def _following(delivery: Delivery, answer: Answer) -> Attempt | None:
    try:
        return delivery.send(answer)
    except StopIteration:
        return None
