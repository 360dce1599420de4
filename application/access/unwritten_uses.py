"""Notes of last uses that are stored every few seconds, so that no request waits for it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from attrs import define, field

from footfall.application.ports.journal import StoreUnavailable

FLUSH_SECONDS = 5.0

Key = TypeVar("Key")
Use = TypeVar("Use")

_log = logging.getLogger(__name__)


@define(eq=False)
class Unwritten(Generic[Key, Use]):
    """The last uses of some `things` that are not stored yet, by their keys; `record` stores them."""

    _things: str
    _record: Callable[[dict[Key, Use]], Awaitable[None]]
    uses: dict[Key, Use] = field(factory=dict, init=False)

    async def flush(self) -> None:
        """Store the uses since the last call.

        Raises:
            StoreUnavailable: the store cannot be reached; the next call tries again.

        """
        writing, self.uses = self.uses, {}
        if not writing:
            return
        try:
            await self._record(writing)
        except StoreUnavailable:
            self.uses = writing | self.uses
            raise

    async def run(self) -> None:
        """Store uses every few seconds until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except StoreUnavailable:
                _log.warning("the last use of %s cannot be stored yet", self._things)
