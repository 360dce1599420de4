"""The futures of entries, as an event loop sees them."""

import asyncio
from collections.abc import Iterable
from concurrent.futures import Future

from footfall.client.entry import Entry
from footfall.client.receipt import Receipt


def awaitable(entry: Entry) -> asyncio.Future[Receipt]:
    """Return a future of the running event loop that ends as the entry does.

    The entry must be settled on that loop's thread, or when the loop is closed.
    """
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def follow(settled_one: Future[Receipt]) -> None:
        if loop.is_closed() or future.done():
            return
        if (error := settled_one.exception()) is None:
            future.set_result(settled_one.result())
        else:
            future.set_exception(error)
            # Reported already: a caller who does not await is not told again by the garbage collector.
            future.exception()

    entry.future.add_done_callback(follow)
    return future


async def settled(entries: Iterable[Entry], within: float | None = None) -> None:
    """Wait until the entries are settled, for at most `within` seconds."""
    if futures := [awaitable(entry) for entry in entries]:
        await asyncio.wait(futures, timeout=within)
