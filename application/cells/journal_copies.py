"""The part of the journal that a cell needs: its projector and its reports read the copy in their own store."""

import asyncio
import logging
from collections.abc import Callable

from attrs import define, field, frozen

from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.cells import JournalCopy
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness, Lag

RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)


@define(eq=False)
class JournalFollower:
    """Brings new events of the sites of a cell to its store; any number of workers may, each event is stored once.

    `position` is how far this process has read the journal, `news` the position of the last event about a site of the
    cell, as far as this process knows: without a new one, following costs no statement.
    """

    _cell: str
    _copy: JournalCopy
    _position: Callable[[], int]
    _news: Callable[[], int]
    _pulse: Pulse = field(factory=Pulse)
    _reachable: bool = field(default=True, init=False)
    _retry_at: float = field(default=float("-inf"), init=False)

    @property
    def has_news(self) -> bool:
        """Whether the cell lacks an event, as far as this process knows, and it is time to bring it.

        To an idle cell events are brought together, when it is looked at: each time costs connections, and its jobs
        look. A request does not wait.
        """
        if self._pulse.idle or self._copy.reached >= self._news():
            return False
        return asyncio.get_running_loop().time() >= self._retry_at

    async def follow(self) -> None:
        """Bring everything that this process has read; without something new this costs no statement.

        Raises:
            StoreUnavailable: one of the two stores does not answer.

        """
        position = self._position()
        if self._copy.reached < position:
            await self._copy.bring(position)

    async def follow_news(self) -> None:
        """Bring new events about sites of the cell, and tell jobs that need them; a store away is tried later."""
        if await self.look():
            self._pulse.tell()

    async def look(self) -> bool:
        """Bring everything, also what was not recognized as an event of the cell; say whether the stores answer."""
        try:
            await self.follow()
        except StoreUnavailable as reason:
            self._report(reason)
            return False
        self._reachable = True
        return True

    def _report(self, reason: StoreUnavailable) -> None:
        if self._reachable:
            _log.warning("the journal is not copied to a cell: %s", reason, extra={"cell": self._cell})
        self._reachable = False
        self._retry_at = asyncio.get_running_loop().time() + RETRY_SECONDS


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
