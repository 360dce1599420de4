"""The rebuild of the projections, whose new set comes into use together with its files."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

from attrs import frozen

from footfall.adapters.postgres.projections.rebuild import Progress, Rebuild
from footfall.entrypoints.composition.columns import NodeColumns, make_in_a_process, open_columns
from footfall.entrypoints.composition.projectors import rebuilding
from footfall.entrypoints.settings import Settings

# In the second round the days that have changed in the first are closed anew.
ROUNDS = 2

Making = Callable[[Settings, NodeColumns], Awaitable[None]]

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Waits:
    """How long a rebuild waits for others, in seconds."""

    follow: float = 2.0
    # Nodes are waited for as long as the rebuild has taken until then, or for as long as this.
    nodes: float = 600.0


USUAL = Waits()


async def make_here(settings: Settings, columns: NodeColumns) -> None:
    """Make the files of this node in a process of their own, whose memory goes back with its end."""
    await make_in_a_process(settings, columns.url)


async def rebuild(
    settings: Settings, url: str, progress: Progress, *, make: Making = make_here, waits: Waits = USUAL
) -> None:
    """Fill a second set of read models, make its files, and exchange it with the set in use.

    Reports are answered from the set in use and its files up to the exchange, and from the new ones afterwards. A node
    that is down, has no room, or takes too long makes its files after the exchange.

    Raises:
        NeverSettled: long reports or changes of goals left no moment for the exchange.
        ProjectionVersionMismatch: the schema is that of another version.
        RebuildUnderWay: another process is rebuilding.
        StoreUnavailable: the store does not answer.

    """
    began = time.monotonic()
    async with rebuilding(url) as rebuilt, open_columns(settings, url) as columns:
        await rebuilt.replay(progress)
        await rebuilt.vacuum()
        for _ in range(ROUNDS):
            await _followed(rebuilt, _make_files(columns, partial(make, settings), began, waits), waits)
        await rebuilt.exchange()


async def _make_files(
    columns: NodeColumns, make: Callable[[NodeColumns], Awaitable[None]], began: float, waits: Waits
) -> None:
    """Close the days of the new set, and return when the nodes have their files."""
    async with columns.store.next_set() as following:
        if following is not None:
            await following.close_all()
    own = columns.own_node()
    if own is not None:
        await columns.nodes.register(own)
    await columns.nodes.ask()
    if own is not None:
        # A running service does the same within a minute.
        await make(columns)
    await _wait_for_others(columns, own, began, waits)


async def _wait_for_others(columns: NodeColumns, own: UUID | None, began: float, waits: Waits) -> None:
    now = time.monotonic()
    until = now + max(now - began, waits.nodes)
    while waiting := [node for node in await columns.nodes.unanswered() if node != own]:
        if time.monotonic() >= until:
            _log.warning(
                "the exchange no longer waits for the files of some nodes", extra={"nodes": _names(waiting)}
            )
            return
        await asyncio.sleep(waits.follow)


async def _followed(rebuilt: Rebuild, work: Awaitable[None], waits: Waits) -> None:
    """Let the second set follow the one in use until some work is done."""
    working = asyncio.ensure_future(work)
    try:
        while not working.done():
            await rebuilt.replay(lambda _position, _target: None)
            await asyncio.wait([working], timeout=waits.follow)
        await working
    finally:
        working.cancel()


def _names(nodes: Sequence[UUID]) -> list[str]:
    return [str(node) for node in nodes]
