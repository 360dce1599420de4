"""Ports of maintenance: erasure of sites, retention, and the transfer of hits with what refuses an archive."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.domain.exceptions import DomainError
from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.session import Mark


@frozen(kw_only=True)
class DueErasure:
    """A deleted site whose next round of erasure is due; rounds count from 0."""

    site_id: int
    deleted_at: datetime
    round: int


class LockedErasures(Protocol):
    """The erasure of deleted sites while this worker holds its lock.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def next_due(self, now: datetime) -> DueErasure | None:
        """Return the site whose round has been due for the longest time; its files are no longer used from then on."""

    async def erase_some(self, site_id: int, limit: int) -> int:
        """Erase at most that many rows, durably, and return their number; 0 when nothing is left."""

    async def is_swept(self, site_id: int) -> bool:
        """Whether no node holds files of the site any more (docs/internals/columns.md#erasure)."""

    async def finish_round(self, due: DueErasure, *, next_at: datetime | None) -> None:
        """Store that a round is finished and when the next one is due; None after the last round."""


class Erasures(Protocol):
    """The deleted sites that still have to be erased.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def waiting(self, now: datetime) -> bool:
        """Whether a round is due."""

    def lock(self) -> AbstractAsyncContextManager[LockedErasures | None]:
        """Lend the lock of erasure; None while another worker holds it."""


@frozen
class RetentionCutoff:
    """The instant before which the hits of a site are too old to be kept."""

    site_id: int
    before: datetime


class LockedRetention(Protocol):
    """The erasure of old hits while this worker holds its lock.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def drop_months(self, cutoffs: list[RetentionCutoff]) -> int:
        """Drop each month that has only hits older than these cutoffs, and return the number of months."""

    async def erase_some(self, cutoff: RetentionCutoff, limit: int) -> int | None:
        """Examine at most that many old rows of a site and erase those that are not kept, durably.

        Returns the number of erased hits; None when all old rows of the site have been examined.
        """


class RetentionStore(Protocol):
    """The traffic log as retention sees it.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def hits_before(self, cutoff: RetentionCutoff) -> int:
        """Return how many hits of a site are older than the cutoff."""

    def lock(self) -> AbstractAsyncContextManager[LockedRetention | None]:
        """Lend the lock of retention; None while another worker holds it."""


class UnreadableArchive(DomainError):
    """The file to import is not an archive of hits; the message names the line and the fault."""


class AnotherImport(DomainError):
    """Another process imports the same archive into the same site at the same time."""

    message = "another import of the same export into this site is under way"


class SiteHits(Protocol):
    """The hits of a site in the traffic log, and the progress of imports into it.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def high_water_mark(self, site_id: int) -> int:
        """Return the highest position below which everything of a site is committed; 0 for an empty log."""

    async def read(self, site_id: int, *, after: int, up_to: int) -> list[RecordedHit | RecordedMeasure]:
        """Return the site's hits and measures with a position above `after` and at most `up_to`, ascending."""

    async def count(self, site_id: int) -> int:
        """Return how many hits the site has."""

    async def marks(self, site_id: int) -> list[Mark]:
        """Return where retention has cut through runs of the site's visitors."""

    async def add_mark(self, site_id: int, mark: Mark) -> None:
        """Store a mark of another store for the site, unless hits of the part that it stands for are stored here.

        Raises:
            StoreUnavailable: the store is being copied to another place, too.

        """

    async def reached(self, site_id: int, source: str) -> int:
        """Return the position up to which the hits of a source have been stored in the site; 0 when none have."""

    async def store(
        self, site_id: int, source: str, entries: Sequence[Hit | Measure], *, after: int, reached: int
    ) -> None:
        """Store hits and measures of a source and move the position that it has reached from `after`, both or neither.

        Raises:
            AnotherImport: the source has reached another position than `after`.
            UnreadableArchive: one of the hits cannot be stored; none of them was stored.

        """
