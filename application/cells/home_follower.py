"""Following of a cell's home node, which moves while events are stored."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from attrs import field, frozen

from footfall.application.ports.journal import StoreMoved, StoreUnavailable
from footfall.application.ports.traffic_log import Intake, Submission
from footfall.domain.tracking.admission import Admission

LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 5.0
REST_SECONDS = 0.02

_log = logging.getLogger(__name__)


@frozen
class FollowingIntake:
    """Intake into a cell: a request that finds the cell at another node goes there.

    `current` is the way into the cell at the node where it is known to be, `look` finds out where it is now.
    """

    _current: Callable[[], Intake]
    _look: Callable[[], Awaitable[None]]
    _patience_seconds: float = field(default=PATIENCE_SECONDS, kw_only=True)

    async def submit(self, submission: Submission) -> Admission:
        """Return the outcome of the request; nothing of it was stored where it was refused.

        Raises:
            StoreUnavailable: the cell does not answer, or moves for longer than 5 seconds.

        """
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_seconds
        while True:
            try:
                return await self._current().submit(submission)
            except StoreMoved:
                if loop.time() > until:
                    raise
            await self._look()
            await asyncio.sleep(REST_SECONDS)

    async def drain(self) -> None:
        """Return when every request has its outcome."""
        await self._current().drain()


@frozen
class HomeFollower:
    """Looks where the home of a cell is, all the time."""

    _cell: str
    _look: Callable[[], Awaitable[None]]

    async def run(self) -> None:
        """Look until cancelled."""
        reachable = True
        while True:
            try:
                await self._look()
                reachable = True
            except StoreUnavailable as reason:
                if reachable:
                    _log.warning("the home of a cell is not found: %s", reason, extra={"cell": self._cell})
                reachable = False
            await asyncio.sleep(LOOK_SECONDS)
