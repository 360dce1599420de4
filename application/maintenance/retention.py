"""Retention: hits that are older than their site keeps them are erased."""

import logging

from attrs import field, frozen

from footfall.application.journal.directory import Directory
from footfall.application.maintenance.background_loop import HOUR, repeat, with_rest
from footfall.application.ports.maintenance import LockedRetention, RetentionCutoff, RetentionStore
from footfall.application.ports.system import Clock
from footfall.domain.sites.retention import kept_since
from footfall.domain.sites.site import Site

SLICE = 2_000
# The rest after a slice lasts three times as long as the slice, so that ingestion keeps most of the store's time.
REST = 3.0

_log = logging.getLogger(__name__)


@frozen
class Retention:
    """Erases old hits; any number of workers may run it, the lock lets one work, and a crash loses only its place."""

    _store: RetentionStore
    _directory: Directory
    _clock: Clock
    _slice_size: int = SLICE
    _rest: float = REST
    # The cell whose store this is; None for the store of the journal.
    _cell: str | None = field(default=None, kw_only=True)

    async def run(self) -> None:
        """Erase old hits every hour until cancelled."""
        await repeat(
            self.apply, seconds=HOUR, delayed="old hits cannot be erased yet; trying again in an hour"
        )

    def cutoffs(self) -> list[RetentionCutoff]:
        """Return the present cutoff of each site that has a limited retention."""
        cutoffs = [
            self._cutoff_of(record.site)
            for record in self._directory.sites()
            if record.site.cell == self._cell
        ]
        return [cutoff for cutoff in cutoffs if cutoff is not None]

    async def apply(self) -> int | None:
        """Erase old hits and return how many were erased one by one; None while another worker does it.

        Raises:
            StoreUnavailable: the store cannot be reached; the next call erases the rest.

        """
        if not (cutoffs := self.cutoffs()):
            return 0
        async with self._store.lock() as locked:
            if locked is None:
                return None
            months = await locked.drop_months(cutoffs)
            erased = sum([await self._erase(locked, cutoff) for cutoff in cutoffs])
        if months or erased:
            _log.info("erased old hits", extra={"months": months, "hits": erased})
        return erased

    def _cutoff_of(self, site: Site) -> RetentionCutoff | None:
        if site.retention_days is None:
            return None
        return RetentionCutoff(site.site_id, kept_since(self._clock.now(), site.retention_days))

    def _still_applies(self, cutoff: RetentionCutoff) -> bool:
        # Erasing takes time, in which a longer retention may have been set.
        record = self._directory.site(str(cutoff.site_id))
        present = None if record is None else self._cutoff_of(record.site)
        return present is not None and present.before >= cutoff.before

    async def _erase(self, locked: LockedRetention, cutoff: RetentionCutoff) -> int:
        erased = 0
        while self._still_applies(cutoff):
            count = await with_rest(locked.erase_some(cutoff, self._slice_size), self._rest)
            if count is None:
                return erased
            erased += count
        return erased
