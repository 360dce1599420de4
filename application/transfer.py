"""Carrying the hits of a site out of the traffic log and into it, piece by piece."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from footfall.domain.errors import DomainError
from footfall.domain.hit import Hit, RecordedHit

# Positions of one reading, and hits of one transaction.
READ_POSITIONS = 10_000
STORED_TOGETHER = 5_000


class UnreadableArchive(DomainError):
    """What was to be imported is not an archive of hits; the text says where and why."""


class AnotherImport(DomainError):
    """Somebody else imports the same archive into the same site at the same time."""

    def __init__(self) -> None:
        super().__init__("the same export is being imported into this site by somebody else")


class SiteHits(Protocol):
    """The hits of a site in the traffic log, and what has been brought to it from elsewhere.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def horizon(self) -> int:
        """Return the highest position below which everything is committed; 0 for an empty log."""

    async def read(self, site_id: int, *, after: int, up_to: int) -> list[RecordedHit]:
        """Return the site's hits with a position above `after` and at most `up_to`, ascending."""

    async def count(self, site_id: int) -> int:
        """Return how many hits the site has."""

    async def reached(self, site_id: int, source: str) -> int:
        """Return the position up to which the hits of a source have been stored in the site; 0 when none have."""

    async def store(
        self, site_id: int, source: str, hits: Sequence[Hit], *, after: int, reached: int
    ) -> None:
        """Store hits of a source and move the position that it has reached from `after`, both or neither.

        Raises:
            AnotherImport: the source has reached another position than `after`.
            UnreadableArchive: one of the hits cannot be held; none of them was stored.

        """


async def export_hits(
    site_hits: SiteHits, site_id: int, *, after: int, up_to: int
) -> AsyncIterator[tuple[int, list[RecordedHit]]]:
    """Yield the site's hits piece by piece, each with the position that has been reached."""
    while after < up_to:
        reached = min(after + READ_POSITIONS, up_to)
        yield reached, await site_hits.read(site_id, after=after, up_to=reached)
        after = reached


async def import_hits(
    site_hits: SiteHits, site_id: int, source: str, hits: Iterable[RecordedHit]
) -> AsyncIterator[int]:
    """Store what of a source is not stored yet, and yield after each transaction how many hits it has stored.

    Raises:
        AnotherImport: somebody else does the same.
        UnreadableArchive: a hit is not what it should be; those of earlier transactions are stored.

    """
    after = await site_hits.reached(site_id, source)
    for piece in _pieces(recorded for recorded in hits if recorded.position > after):
        reached = piece[-1].position
        stored = [recorded.hit for recorded in piece]
        await site_hits.store(site_id, source, stored, after=after, reached=reached)
        after = reached
        yield len(piece)


def _pieces(hits: Iterable[RecordedHit]) -> Iterator[list[RecordedHit]]:
    remaining = iter(hits)
    while piece := list(islice(remaining, STORED_TOGETHER)):
        yield piece
