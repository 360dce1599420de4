"""Writing an archive, and going on where one ends."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import SEEK_CUR
from pathlib import Path
from typing import BinaryIO

import orjson
from attrs import field, frozen

from footfall.adapters.archive.lines import (
    Heading,
    heading_line,
    heading_of,
    hit_line,
    is_mark,
    mark_line,
    measure_line,
)
from footfall.application.ports.maintenance import UnreadableArchive
from footfall.domain.tracking.engagement import RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark

_CHUNK = 1 << 16
_GZIP = 31
_LEVEL = 5


@frozen
class ArchiveWriter:
    """Writes hits; each piece of a compressed archive is a member of its own, so that a torn one can be mended."""

    _file: BinaryIO
    _compressed: bool = field(kw_only=True)

    def begin(self, heading: Heading) -> None:
        """Write the first line."""
        self._write(heading_line(heading))

    def add(self, entries: Iterable[RecordedHit | RecordedMeasure]) -> None:
        """Write a line for each hit and measure, and hand them to the operating system."""
        lines = [
            hit_line(entry) if isinstance(entry, RecordedHit) else measure_line(entry) for entry in entries
        ]
        if lines:
            self._write(b"".join(lines))

    def mark(self, marks: Iterable[Mark]) -> None:
        """Write a line for each mark of retention, before the hits that it is about."""
        if lines := b"".join(map(mark_line, marks)):
            self._write(lines)

    def _write(self, lines: bytes) -> None:
        self._file.write(gzip.compress(lines, _LEVEL, mtime=0) if self._compressed else lines)
        self._file.flush()


@contextmanager
def continued(path: Path, *, compressed: bool, heading: Heading) -> Iterator[tuple[BinaryIO, int]]:
    """Lend an archive for appending, with the position of its last whole hit; the rest is cut off.

    Raises:
        UnreadableArchive: it holds something else, or hits of another site.

    """
    with path.open("r+b") as file:
        end, first, last = (_whole_members if compressed else _whole_lines)(file)
        if first and heading_of(first) != heading:
            raise UnreadableArchive(f"{path} holds the hits of another site")
        file.seek(end)
        file.truncate()
        if not first:
            ArchiveWriter(file, compressed=compressed).begin(heading)
        yield file, 0 if last == first else int(orjson.loads(last)["position"])


def _whole_lines(file: BinaryIO) -> tuple[int, bytes, bytes]:
    end, first, last = 0, b"", b""
    for line in file:
        if line.endswith(b"\n"):
            first, last, end = first or line, last if is_mark(line) else line, end + len(line)
    return end, first, last


def _whole_members(file: BinaryIO) -> tuple[int, bytes, bytes]:
    end, first, last = 0, b"", b""
    for member_end, lines in _members(file):
        whole = lines.splitlines(keepends=True)
        first, last, end = first or whole[0], last if is_mark(whole[-1]) else whole[-1], member_end
    return end, first, last


def _members(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield what each whole member holds, with where it ends; a torn one at the end is left out."""
    try:
        while (lines := _member(file)) is not None:
            yield file.tell(), lines
    except zlib.error:
        return


def _member(file: BinaryIO) -> bytes | None:
    member, lines = zlib.decompressobj(_GZIP), b""
    while not member.eof:
        if not (chunk := file.read(_CHUNK)):
            return None
        lines += member.decompress(chunk)
    file.seek(-len(member.unused_data), SEEK_CUR)
    return lines
