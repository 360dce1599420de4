"""Erasure of deleted sites: in the background, in slices, and in several rounds because of rows that arrive late."""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from attrs import field, frozen

from footfall.application.maintenance.background_loop import repeat, with_rest
from footfall.application.maintenance.erasure_listing import unlisted
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.maintenance import DueErasure, Erasures, LockedErasures
from footfall.application.ports.system import Clock

# The first round follows the deletion; further ones erase rows that arrive late: hits in the queue of a worker that
# did not know of the deletion yet, counts that are written a second later, sessions of hits in the projection.
ROUNDS = (
    timedelta(0),
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(days=1),
)
# Between two questions whether all nodes have removed their files, when nothing else is left to do.
SWEEP_POLL = timedelta(hours=1)
SLICE = 1_000
POLL_SECONDS = 3.0
# The rest after a slice lasts nine times as long as the slice, so that ingestion keeps most of the store's time.
REST = 9.0

_log = logging.getLogger(__name__)


@frozen
class Eraser:
    """Erases deleted sites; any number of workers may run it, the lock lets one work, a crash loses only its place.

    `listed` brings the list of erasures outside of the store to what the store has.
    """

    _erasures: Erasures
    _clock: Clock
    _slice_size: int = SLICE
    _rest: float = REST
    _pulse: Pulse = field(factory=Pulse.of_main, kw_only=True)
    _listed: Callable[[], Awaitable[None]] = field(default=unlisted, kw_only=True)

    async def run(self) -> None:
        """Erase what is due until cancelled; an unreachable store is tried again."""
        await repeat(
            self.work,
            seconds=POLL_SECONDS,
            delayed="deleted sites cannot be erased yet",
            rest=self._pulse.rest_until_news,
        )

    async def work(self) -> None:
        """Erase everything that is due now.

        Raises:
            StoreUnavailable: the store cannot be reached, or the list cannot be written; the rest stays due.

        """
        if not await self._erasures.waiting(self._clock.now()):
            return
        async with self._erasures.lock() as locked:
            while locked is not None and (due := await locked.next_due(self._clock.now())):
                # A site may have been deleted while the one before was erased.
                await self._listed()
                await self._erase(locked, due)

    async def _erase(self, locked: LockedErasures, due: DueErasure) -> None:
        erased = 0
        while rows := await with_rest(locked.erase_some(due.site_id, self._slice_size), self._rest):
            erased += rows
        rounds = due.round + 1
        next_at = due.deleted_at + ROUNDS[rounds] if rounds < len(ROUNDS) else None
        if next_at is None and not await locked.is_swept(due.site_id):
            # A node that is down has yet to remove its files.
            next_at = self._clock.now() + SWEEP_POLL
        if next_at is not None:
            next_at = max(next_at, self._clock.now() + ROUNDS[1])
        await locked.finish_round(due, next_at=next_at)
        _log.info("erased a deleted site", extra={"site_id": due.site_id, "round": due.round, "rows": erased})
