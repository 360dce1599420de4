"""Retention: how long tracked events are kept, and the erasing of those that are older."""

import asyncio
import logging
import time
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.application.directory import Directory
from footfall.application.ports import Clock, StoreUnavailable
from footfall.domain.retention import kept_since
from footfall.domain.site import Site

HOUR = 3600.0
SLICE = 2_000
# After each slice three times as long as the slice took: the store belongs to ingestion.
REST = 3.0

_log = logging.getLogger(__name__)


@frozen
class Past:
    """What of a site is too old: what happened before an instant."""

    site_id: int
    before: datetime


class RetentionTurn(Protocol):
    """What the one who erases may do; every method raises StoreUnavailable when the store cannot be reached."""

    async def drop_months(self, pasts: list[Past]) -> int:
        """Drop each month in which there is nothing but the past of these sites, and return how many these were."""

    async def erase_some(self, past: Past, limit: int) -> int | None:
        """Look at that many rows of a site's past and erase those that are to go, durably.

        Returns how many were erased; None when the past has been looked through.
        """


class Retained(Protocol):
    """What is kept of the traffic log; every method raises StoreUnavailable when the store cannot be reached."""

    async def hits_before(self, past: Past) -> int:
        """Return how many hits of a site are older than its past reaches."""

    def turn(self) -> AbstractAsyncContextManager[RetentionTurn | None]:
        """Lend the turn to erase; None when somebody else, on any worker, has it."""


class Retention:
    """Erases what is older than its site keeps; any number may run, one at a time works, a crash loses its place."""

    def __init__(
        self,
        retained: Retained,
        directory: Directory,
        clock: Clock,
        *,
        slice_size: int = SLICE,
        rest: float = REST,
    ) -> None:
        self._retained = retained
        self._directory = directory
        self._clock = clock
        self._slice_size = slice_size
        self._rest = rest

    async def run(self) -> None:
        """Erase what is too old every hour until cancelled."""
        while True:
            try:
                await self.apply()
            except StoreUnavailable:
                _log.warning("what is too old cannot be erased yet; trying again in an hour")
            await asyncio.sleep(HOUR)

    def pasts(self) -> list[Past]:
        """Return what is too old by now, for each site that does not keep everything."""
        found = [self._past_of(listed.site) for listed in self._directory.sites()]
        return [past for past in found if past is not None]

    async def apply(self) -> int | None:
        """Erase what is too old, and return how many hits were erased one by one; None when somebody else is at it.

        Raises:
            StoreUnavailable: the store cannot be reached; what is left goes next time.

        """
        if not (pasts := self.pasts()):
            return 0
        async with self._retained.turn() as turn:
            if turn is None:
                return None
            months = await turn.drop_months(pasts)
            erased = sum([await self._erase(turn, past) for past in pasts])
        if months or erased:
            _log.info("erased what was too old", extra={"months": months, "hits": erased})
        return erased

    def _past_of(self, site: Site) -> Past | None:
        if site.retention_days is None:
            return None
        return Past(site.site_id, kept_since(self._clock.now(), site.retention_days))

    def _is_wanted(self, past: Past) -> bool:
        # Erasing takes its time, and by then the site may keep more.
        listed = self._directory.site(str(past.site_id))
        now = None if listed is None else self._past_of(listed.site)
        return now is not None and now.before >= past.before

    async def _erase(self, turn: RetentionTurn, past: Past) -> int:
        erased = 0
        while self._is_wanted(past):
            started = time.perf_counter()
            found = await turn.erase_some(past, self._slice_size)
            if found is None:
                return erased
            erased += found
            await asyncio.sleep((time.perf_counter() - started) * self._rest)
        return erased
