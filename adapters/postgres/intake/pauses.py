"""The pause of writers while a cell moves from server to server, as an intake meets it."""

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from typing import Any

from attrs import define, field

from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import Home, layout_of
from footfall.adapters.postgres.intake.hit_rows import COPY
from footfall.adapters.postgres.intake.libpq_copy import CopyIn
from footfall.application.ports.journal import StoreUnavailable

REST_SECONDS = 0.01
# After the move, until a writer commits at the new home.
MOST_SECONDS = 10.0


async def longest_pause(url: str, moving: Coroutine[Any, Any, None]) -> float:
    """Return the longest time in seconds without a commit while the store at a URL moves.

    A writer without rows commits again and again, the last time at the new home.

    Raises:
        StoreUnavailable: nothing can be stored after the move.
        Exception: what the move raises.

    """
    async with aclosing(_Writer(layout_of(url).home(url))) as writer:
        await writer.commit()
        move = asyncio.ensure_future(moving)
        try:
            while not move.done():
                await writer.commit()
        except BaseException:
            move.cancel()
            raise
        await move
        until = asyncio.get_running_loop().time() + MOST_SECONDS
        while not await writer.commit():
            if asyncio.get_running_loop().time() > until:
                raise StoreUnavailable("nothing can be stored after the move")
        return writer.longest


@define
class _Writer:
    """Commits at the home of a store, and keeps the longest time between two commits."""

    _home: Home
    longest: float = field(default=0.0, init=False)
    _last: float | None = field(default=None, init=False)
    _connection: StoreConnection | None = field(default=None, init=False)

    async def commit(self) -> bool:
        """Store no rows, in the way of an intake; return whether it was done at the home."""
        try:
            committed = await self._try()
        except StoreUnavailable:
            await self._leave()
            committed = False
        if committed:
            now = asyncio.get_running_loop().time()
            self.longest = max(self.longest, now - (self._last or now))
            self._last = now
        await asyncio.sleep(REST_SECONDS)
        return committed

    async def aclose(self) -> None:
        """Close the connections."""
        await self._leave()
        await self._home.close()

    async def _try(self) -> bool:
        if self._home.url is None:
            await self._home.look()
        here = self._home.url
        if self._connection is None:
            self._connection = await connect(str(here))
        with translated(), CopyIn(self._connection) as copy_in:
            await copy_in.copy(COPY, b"")
        # Without rows, a table that has left the node refuses nothing.
        await self._home.look()
        if self._home.url == here:
            return True
        await self._leave()
        return False

    async def _leave(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
