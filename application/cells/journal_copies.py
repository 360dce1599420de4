"""The part of the journal that a cell needs: its projector and its reports read the copy in their own store."""

import asyncio
import logging
from collections.abc import Callable

from attrs import frozen

from footfall.application.ports.cells import JournalCopy
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness, Lag

LOOK_SECONDS = 0.2
RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


@frozen
class JournalFollower:
    """Brings new events of the sites of a cell to its store; any number of workers may, each event is stored once.

    `position` is how far this process has read the journal.
    """

    _cell: str
    _copy: JournalCopy
    _position: Callable[[], int]

    async def run(self) -> None:
        """Follow the journal until cancelled; an unreachable store is tried again."""
        reachable = True
        while True:
            try:
                await self.follow()
                reachable = True
            except StoreUnavailable as reason:
                if reachable:
                    _log.warning(
                        "the journal is not copied to a cell: %s", reason, extra={"cell": self._cell}
                    )
                reachable = False
                await asyncio.sleep(RETRY_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)

    async def follow(self) -> None:
        """Bring everything that this process has read; without something new this costs no statement.

        Raises:
            StoreUnavailable: one of the two stores does not answer.

        """
        position = self._position()
        if self._copy.reached < position:
            await self._copy.bring(position)


@frozen
class CellFreshness:
    """Freshness of the reports of a cell: goals and errors are those of the journal, too."""

    _follower: JournalFollower
    _freshness: Freshness

    async def catch_up(self, site_id: int) -> int:
        """Return when the reports of a site are complete, or after a second."""
        await self._follower.follow()
        return await self._freshness.catch_up(site_id)

    async def lag(self, site_id: int | None = None) -> Lag:
        """Return how far the reports of the cell are behind."""
        return await self._freshness.lag(site_id)
