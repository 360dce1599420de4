"""Files that grow at their end, plain or in gzip: read line by line, and known again by their beginning."""

import gzip
import io
import zlib
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, cast

from attrs import define, field, frozen

from footfall.application.ports.imports import UnreadableSource

LONGEST_LINE = 1 << 20
_BUFFER = 1 << 18
_GZIP_START = b"\x1f\x8b"


@frozen
class FileMark:
    """The progress of reading a file: its lines, and the digest of all of them."""

    lines: int
    digest: str


@define
class LineFile:
    """A file whose complete lines are read once; a line without its end is left to the next reading.

    With `quoted`, the file is CSV, which is written at once: a line that ends inside of quotes goes on with the next
    one, and the last line is read with or without its end. `lines` and `_digest` describe the lines that the reader has
    finished with: all but the one that was yielded last.
    """

    path: Path
    quoted: bool = False
    lines: int = field(default=0, init=False)
    _digest: Any = field(factory=lambda: blake2b(digest_size=16), init=False)
    _raw: BinaryIO | None = field(default=None, init=False)
    _told: int = field(default=0, init=False)

    @property
    def name(self) -> str:
        """The name of the file without its folder, as faults show it."""
        return self.path.name

    def size(self) -> int:
        """Return the length of the file in bytes, as it is on the disk."""
        try:
            return self.path.stat().st_size
        except OSError as fault:
            raise UnreadableSource(f"{self.path} cannot be opened: {fault.strerror}") from None

    def first_line(self, *, after: int = 0) -> bytes | None:
        """Return the first complete line after some; None for a file that has none."""
        with self._opened() as (file, _):
            for _ in range(after):
                self._next(file)
            line = self._next(file)
        return line or None

    def read(self, after: FileMark | None) -> Iterator[bytes]:
        """Yield the lines behind a mark, all of them for None.

        Raises:
            UnreadableSource: the lines up to the mark are not those that were read before.

        """
        with self._opened() as (file, raw):
            self._raw = raw
            if after is not None:
                self._skip(file, after)
            while line := self._next(file):
                yield line
                self.lines += 1
                self._digest.update(line)
        self._raw = None

    def mark(self, last: bytes = b"") -> FileMark:
        """Return how far the file has been read; `last` is the line that was yielded last, if it counts."""
        digest = self._digest.copy()
        digest.update(last)
        return FileMark(self.lines + bool(last), digest.hexdigest())

    def advanced(self) -> int:
        """Return by how many bytes the reading has moved on since the last call."""
        place = self.size() if self._raw is None else self._raw.tell()
        before, self._told = self._told, max(place, self._told)
        return self._told - before

    def _skip(self, file: BinaryIO, mark: FileMark) -> None:
        while self.lines < mark.lines and (line := self._next(file)):
            self.lines += 1
            self._digest.update(line)
        if self.mark() != mark:
            raise UnreadableSource(
                f"{self.name}: its first {mark.lines:,} lines are not those that were imported before"
            )

    def _next(self, file: BinaryIO) -> bytes:
        """Return the next complete line, or nothing."""
        line = self._line(file)
        while self.quoted and line.count(b'"') % 2 and (following := self._line(file)):
            line += following
            if len(line) > LONGEST_LINE:
                raise UnreadableSource(f"{self.name}, line {self.lines + 1}: quotes that do not end")
        return line

    def _line(self, file: BinaryIO) -> bytes:
        try:
            line = file.readline(LONGEST_LINE)
        except (OSError, EOFError, zlib.error):
            raise UnreadableSource(
                f"{self.name}, line {self.lines + 1}: the file is damaged or cut off"
            ) from None
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise UnreadableSource(f"{self.name}, line {self.lines + 1}: it is longer than a mebibyte")
        if line and self.quoted and not line.endswith(b"\n"):
            line += b"\n"
        return line if line.endswith(b"\n") else b""

    def _opened(self) -> "_Opened":
        return _Opened(self.path)


@define
class _Opened:
    """A file for reading, unpacked, with the file as it is on the disk."""

    _path: Path
    _files: list[BinaryIO] = field(factory=list, init=False)

    def __enter__(self) -> tuple[BinaryIO, BinaryIO]:
        try:
            raw = self._path.open("rb")
        except OSError as fault:
            raise UnreadableSource(f"{self._path} cannot be opened: {fault.strerror}") from None
        self._files.append(raw)
        try:
            packed = raw.peek(len(_GZIP_START))[: len(_GZIP_START)] == _GZIP_START
        except OSError as fault:
            raw.close()
            raise UnreadableSource(f"{self._path} cannot be read: {fault.strerror}") from None
        if not packed:
            return raw, raw
        # The buffer finds the ends of lines faster than the file of gzip does.
        unpacked = io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)), _BUFFER)
        self._files.append(unpacked)
        return unpacked, raw

    def __exit__(self, *_: object) -> None:
        for file in reversed(self._files):
            file.close()
