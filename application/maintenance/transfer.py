"""Export of the hits and measures of a site from the traffic log, and import into it, piece by piece."""

from collections.abc import AsyncIterator, Iterable, Iterator

from footfall.application.ports.maintenance import SiteHits
from footfall.domain.tracking.engagement import RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark

Recorded = RecordedHit | RecordedMeasure

# Positions of one reading, and entries of one transaction.
READ_POSITIONS = 10_000
STORED_TOGETHER = 5_000


async def export_hits(
    site_hits: SiteHits, site_id: int, *, after: int, up_to: int
) -> AsyncIterator[tuple[int, list[Recorded]]]:
    """Yield the site's hits and measures piece by piece, each with the position that has been reached."""
    while after < up_to:
        reached = min(after + READ_POSITIONS, up_to)
        yield reached, await site_hits.read(site_id, after=after, up_to=reached)
        after = reached


async def import_hits(
    site_hits: SiteHits, site_id: int, source: str, entries: Iterable[Recorded | Mark]
) -> AsyncIterator[int]:
    """Store what is not stored yet of a source, and yield the number of hits after each transaction.

    The marks among the entries are stored in their place, those of a run before its hits.

    Raises:
        AnotherImport: another process imports the same source into this site.
        UnreadableArchive: a hit is malformed; the hits of earlier transactions are stored.

    """
    after = await site_hits.reached(site_id, source)
    for piece in _pieces(entries, after):
        if isinstance(piece, Mark):
            await site_hits.add_mark(site_id, piece)
            continue
        reached = piece[-1].position
        stored = [entry.hit if isinstance(entry, RecordedHit) else entry.measure for entry in piece]
        await site_hits.store(site_id, source, stored, after=after, reached=reached)
        after = reached
        yield sum(isinstance(entry, RecordedHit) for entry in piece)


def _pieces(entries: Iterable[Recorded | Mark], after: int) -> Iterator[list[Recorded] | Mark]:
    piece: list[Recorded] = []
    for entry in entries:
        if not isinstance(entry, Mark) and entry.position > after:
            piece.append(entry)
        if piece and (isinstance(entry, Mark) or len(piece) == STORED_TOGETHER):
            yield piece
            piece = []
        if isinstance(entry, Mark):
            yield entry
    if piece:
        yield piece
