"""Reading an archive, in constant memory."""

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from footfall.adapters.archive.lines import Heading, entry_of, heading_of
from footfall.application.ports.maintenance import UnreadableArchive
from footfall.domain.tracking.engagement import RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark

# A hit has at most 65,536 characters of properties and a dozen texts; a longer line is not part of an archive.
LONGEST_LINE = 1 << 21
_GZIP_START = b"\x1f\x8b"


class ArchiveReader:
    """Reads hits as those of one site; whether the archive is compressed is seen from its first bytes.

    Every method raises UnreadableArchive, which names the line.
    """

    def __init__(self, file: BinaryIO) -> None:
        # Looking ahead needs a buffer, which standard input and opened files have.
        start: bytes = file.peek(len(_GZIP_START))[: len(_GZIP_START)]  # type: ignore[attr-defined]
        self._lines: BinaryIO = gzip.GzipFile(fileobj=file) if start == _GZIP_START else file  # type: ignore[assignment]
        self._number = 0

    def heading(self) -> Heading:
        """Return the first line; to be called once, before anything else."""
        line = self._line()
        try:
            return heading_of(line)
        except UnreadableArchive as fault:
            raise UnreadableArchive(f"line {self._number}: {fault}") from None

    def entries(self, site_id: int) -> Iterator[RecordedHit | RecordedMeasure | Mark]:
        """Yield hits and measures by ascending positions of the log that they come from, and marks of retention."""
        before = 0
        while line := self._line():
            try:
                entry = entry_of(line, site_id)
            except UnreadableArchive as fault:
                raise UnreadableArchive(f"line {self._number}: {fault}") from None
            if not isinstance(entry, Mark):
                if entry.position <= before:
                    raise UnreadableArchive(f"line {self._number}: the positions must ascend")
                before = entry.position
            yield entry

    def _line(self) -> bytes:
        self._number += 1
        try:
            line = self._lines.readline(LONGEST_LINE)
        except (OSError, EOFError, zlib.error) as fault:
            raise UnreadableArchive(
                f"line {self._number}: the file is damaged or cut off ({fault})"
            ) from None
        if len(line) == LONGEST_LINE:
            raise UnreadableArchive(f"line {self._number}: it is too long")
        return line
