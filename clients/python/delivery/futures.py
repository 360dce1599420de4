"""Futures of an event loop that follow the futures of calls."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import Future

from footfall.client.delivery.pending_call import PendingCall
from footfall.client.receipt import Receipt


def awaitable(call: PendingCall) -> asyncio.Future[Receipt]:
    """Return a future of the running event loop with the result of the call.

    The call must be settled on that loop's thread, or when the loop is closed.
    """
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def follow(source: Future[Receipt]) -> None:
        if loop.is_closed() or future.done():
            return
        if (error := source.exception()) is None:
            future.set_result(source.result())
        else:
            future.set_exception(error)
            # The ledger has reported it: the garbage collector must not warn of an exception that was never retrieved.
            future.exception()

    call.future.add_done_callback(follow)
    return future


async def settled(calls: Iterable[PendingCall], within: float | None = None) -> None:
    """Wait until the calls are settled, for at most `within` seconds."""
    if futures := [awaitable(call) for call in calls]:
        await asyncio.wait(futures, timeout=within)
