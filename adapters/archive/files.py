"""Archives as files and streams: what `footfall export` writes and `footfall import` reads."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

from attrs import frozen

from footfall.adapters.archive.lines import Heading
from footfall.adapters.archive.reading import ArchiveReader
from footfall.adapters.archive.writing import ArchiveWriter, continued
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.maintenance.transfer import export_hits, import_hits
from footfall.application.ports.maintenance import SiteHits, UnreadableArchive
from footfall.domain.sites.site import Site
from footfall.domain.tracking.hit import RecordedHit

STREAM = "-"


@frozen
class Exported:
    """The result of an export: the number of hits, and the position of the log that it reached."""

    hits: int
    position: int


@contextmanager
def archive_to_write(
    name: str, site: Site, *, after: int, resume: bool
) -> Iterator[tuple[ArchiveWriter, int]]:
    """Lend an archive, with the position after which it goes on.

    Raises:
        UnreadableArchive: the file is there already, or is to be continued and is no archive of this site.

    """
    heading, compressed = Heading(site.public_id), name.endswith(".gz")
    if name == STREAM:
        yield _begun(sys.stdout.buffer, heading, compressed=False), after
    elif resume and Path(name).exists():
        with continued(Path(name), compressed=compressed, heading=heading) as (file, position):
            yield ArchiveWriter(file, compressed=compressed), max(position, after)
    else:
        with _opened(Path(name), "xb") as file:
            yield _begun(file, heading, compressed=compressed), after


@contextmanager
def archive_to_read(name: str) -> Iterator[tuple[ArchiveReader, BinaryIO, int]]:
    """Lend an archive with the file that it is read from and its size in bytes, 0 for a stream.

    Raises:
        UnreadableArchive: there is no such file, or it may not be read.

    """
    if name == STREAM:
        file = cast("BinaryIO", sys.stdin.buffer)
        yield ArchiveReader(file), file, 0
        return
    with _opened(Path(name), "rb") as file:
        yield ArchiveReader(file), file, Path(name).stat().st_size


async def write_archive(
    writer: ArchiveWriter,
    site_hits: SiteHits,
    site_id: int,
    *,
    after: int,
    up_to: int,
    advance: Callable[[int], None],
) -> Exported:
    """Write the marks of a site, its hits and measures between two positions, and report progress in positions."""
    writer.mark(await site_hits.marks(site_id))
    hits = 0
    async for reached, piece in export_hits(site_hits, site_id, after=after, up_to=up_to):
        writer.add(piece)
        hits += sum(isinstance(entry, RecordedHit) for entry in piece)
        advance(reached - after)
        after = reached
    return Exported(hits, up_to)


async def read_archive(
    reader: ArchiveReader,
    file: BinaryIO,
    site_hits: SiteHits,
    record: SiteRecord,
    *,
    advance: Callable[[int], None],
) -> int:
    """Store the hits of an archive that the site lacks, report progress in bytes, and return their number.

    Raises:
        UnreadableArchive: a line is invalid; the hits before it are stored, and the next import skips them.

    """
    site, source, hits, read = record.site, reader.heading().source, 0, 0
    if source == site.public_id:
        raise UnreadableArchive(
            "these hits were exported from this very site: imported, they would count twice"
        )
    async for stored in import_hits(site_hits, site.site_id, source, reader.entries(site.site_id)):
        hits += stored
        before, read = read, file.tell() if file.seekable() else 0
        advance(read - before)
    return hits


@contextmanager
def _opened(path: Path, mode: Literal["rb", "xb"]) -> Iterator[BinaryIO]:
    try:
        opened = path.open(mode)
    except FileExistsError:
        hint = "give another name, or --resume to go on with it"
        raise UnreadableArchive(f"{path} is there already: {hint}") from None
    except OSError as fault:
        raise UnreadableArchive(f"{path} cannot be opened: {fault.strerror}") from None
    with opened as file:
        yield file


def _begun(file: BinaryIO, heading: Heading, *, compressed: bool) -> ArchiveWriter:
    writer = ArchiveWriter(file, compressed=compressed)
    writer.begin(heading)
    return writer
