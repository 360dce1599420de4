"""The list of erasures outside of the store, where all is before it is erased (docs/operate/backup.md#erasures)."""

import asyncio

from attrs import frozen

from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.ports.erasure_list import ErasureList, StoredErasures


async def unlisted() -> None:
    """Keep no list."""


@frozen
class ErasureListing:
    """Brings the list of this host to what the store has."""

    _store: StoredErasures
    _list: ErasureList

    async def run(self) -> None:
        """Add every hour what other hosts have erased, until cancelled."""
        await repeat(self.work, seconds=HOUR, delayed="the list of erasures cannot be completed yet")

    async def work(self) -> None:
        """Add what the list lacks.

        Raises:
            StoreUnavailable: the store does not answer, or the list cannot be written.

        """
        await asyncio.to_thread(self._list.add, await self._store.listed())
