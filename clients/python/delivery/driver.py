"""Performs the attempts of a delivery: waits, sends, and passes the response back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar

from footfall.client.delivery.attempts import Attempt, Delivery, Exchange, deliver
from footfall.client.delivery.pending_call import PendingCall
from footfall.client.delivery.service_response import ServiceResponse
from footfall.client.options import Settings

log = logging.getLogger("footfall.client")
# Whether the code that runs is the client's own: what fails there is not reported, since a report could fail likewise.
OWN_CODE: ContextVar[bool] = ContextVar("footfall_own_code", default=False)


def run(
    delivery: Delivery, send: Callable[[Attempt], ServiceResponse], pause: Callable[[float], bool]
) -> None:
    """Perform a delivery; stop once `pause` returns False."""
    token = OWN_CODE.set(True)
    try:
        attempt = next(delivery, None)
        while attempt is not None and pause(attempt.delay):
            attempt = _following(delivery, send(attempt))
    finally:
        OWN_CODE.reset(token)


async def deliver_async(
    calls: Sequence[PendingCall],
    exchange: Exchange,
    settings: Settings,
    send: Callable[[Attempt], Awaitable[ServiceResponse]],
) -> None:
    """Deliver calls as a task of the running event loop; an unexpected failure is logged and settles them, too."""
    OWN_CODE.set(True)
    try:
        await _run_async(deliver(calls, exchange, settings), send)
    except Exception:
        log.exception("Sending failed")
        for call in calls:
            call.abandon("Sending failed")


async def _run_async(delivery: Delivery, send: Callable[[Attempt], Awaitable[ServiceResponse]]) -> None:
    attempt = next(delivery, None)
    while attempt is not None:
        await asyncio.sleep(attempt.delay)
        attempt = _following(delivery, await send(attempt))


def _following(delivery: Delivery, response: ServiceResponse) -> Attempt | None:
    try:
        return delivery.send(response)
    except StopIteration:
        return None
