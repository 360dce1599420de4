"""Erasing what was kept of deleted sites: in the background, in slices, again and again until nothing can come late."""

import asyncio
import logging
import time
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Protocol

from attrs import frozen

from footfall.application.ports import Clock, StoreUnavailable

# A round after the deletion, and further ones for what was still on its way: hits in the queue of a worker that had
# not heard of the deletion, counts that are written a second later, sessions of hits that were just being projected.
ROUNDS = (
    timedelta(0),
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(days=1),
)
SLICE = 1_000
POLL_SECONDS = 1.0
# After each slice the eraser rests nine times as long as the slice took: the store belongs to ingestion.
REST = 9.0

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Due:
    """A deleted site whose next round is due; rounds count from 0."""

    site_id: int
    deleted_at: datetime
    round: int


class ErasureTurn(Protocol):
    """What the one who erases may do; every method raises StoreUnavailable when the store cannot be reached."""

    async def next_due(self, now: datetime) -> Due | None:
        """Return the site whose round has been due for the longest time."""

    async def erase_some(self, site_id: int, limit: int) -> int:
        """Erase at most that many rows, durably, and return how many it were; 0 when nothing was found."""

    async def finish_round(self, due: Due, *, next_at: datetime | None) -> None:
        """Remember that a round found nothing more, and when the next one is due, if there is one."""


class Erasures(Protocol):
    """What is still to be erased."""

    async def waiting(self, now: datetime) -> bool:
        """Whether a round is due.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """

    def turn(self) -> AbstractAsyncContextManager[ErasureTurn | None]:
        """Lend the turn to erase; None when somebody else, on any worker, has it.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """


class Eraser:
    """Erases deleted sites; any number may run, one at a time works, and a crash loses nothing but its place."""

    def __init__(
        self, erasures: Erasures, clock: Clock, *, slice_size: int = SLICE, rest: float = REST
    ) -> None:
        self._erasures = erasures
        self._clock = clock
        self._slice_size = slice_size
        self._rest = rest

    async def run(self) -> None:
        """Erase what is due until cancelled; an unreachable store is tried again."""
        while True:
            try:
                await self.work()
            except StoreUnavailable:
                _log.warning("deleted sites cannot be erased yet")
            await asyncio.sleep(POLL_SECONDS)

    async def work(self) -> None:
        """Erase everything that is due now.

        Raises:
            StoreUnavailable: the store cannot be reached; what is left stays due.

        """
        if not await self._erasures.waiting(self._clock.now()):
            return
        async with self._erasures.turn() as turn:
            while turn is not None and (due := await turn.next_due(self._clock.now())):
                await self._erase(turn, due)

    async def _erase(self, turn: ErasureTurn, due: Due) -> None:
        erased = 0
        while rows := await self._slice(turn, due):
            erased += rows
        rounds = due.round + 1
        next_at = due.deleted_at + ROUNDS[rounds] if rounds < len(ROUNDS) else None
        if next_at is not None:
            next_at = max(next_at, self._clock.now() + ROUNDS[1])
        await turn.finish_round(due, next_at=next_at)
        _log.info("erased a deleted site", extra={"site_id": due.site_id, "round": due.round, "rows": erased})

    async def _slice(self, turn: ErasureTurn, due: Due) -> int:
        started = time.perf_counter()
        rows = await turn.erase_some(due.site_id, self._slice_size)
        await asyncio.sleep((time.perf_counter() - started) * self._rest)
        return rows
