"""Files that grow at their end, plain or in gzip: read line by line, and known again by their beginning."""

import gzip
import io
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, cast

from attrs import Factory, define, field, frozen

from footfall.application.ports.imports import UnreadableSource

LONGEST_LINE = 1 << 20
_BUFFER = 1 << 18
_GZIP_START = b"\x1f\x8b"
_UTF16 = "in UTF-16: write it in UTF-8, for example with iconv -f UTF-16 -t UTF-8"
# Files that no reader of lines takes, by their beginning.
_OTHERS = {
    BOM_UTF16_LE: _UTF16,
    BOM_UTF16_BE: _UTF16,
    b"PK\x03\x04": "a ZIP archive: unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard: unpack it first, or compress it with gzip",
    b"\xfd7zXZ\x00": "compressed with xz: unpack it first, or compress it with gzip",
    b"BZh": "compressed with bzip2: unpack it first, or compress it with gzip",
}
_LONGEST_BEGINNING = max(map(len, _OTHERS))
_DAMAGED = (OSError, EOFError, zlib.error)
CUT_OFF = "the file is damaged or cut off"
_ONLY_CR = "its lines end with CR alone: write them with LF, for example with tr '\\r' '\\n'"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn a fault of the file system into the refusal of a path; refuse a pipe, which could not be read again."""
    try:
        if path.is_fifo():
            raise UnreadableSource(f"{path} is a pipe, which cannot be read twice: write it to a file first")
        yield
    except OSError as fault:
        raise UnreadableSource(f"{path} cannot be opened: {fault.strerror}") from None


@frozen
class FileMark:
    """The progress of reading a file: its lines, and the digest of all of them."""

    lines: int
    digest: str


@frozen
class MarkedEnd:
    """The end of the lines of a mark in a plain file: its offset, the digest of these lines, and the last one."""

    offset: int
    digest: Any
    last: bytes


@define
class LineFile:
    """A file whose complete lines are read once; a line without its end is left to the next reading.

    With `quoted`, the file is CSV, which is written at once: a line that ends inside of quotes goes on with the next
    one. With `whole`, as with `quoted`, the last line is read with or without its end. `lines` and `_digest` describe
    the lines that the reader has finished with: all but the one that was yielded last. `places` are those of marks that
    this process has read up to, so that a file that is read again and again is not read from its beginning.
    """

    path: Path
    quoted: bool = False
    places: dict[FileMark, MarkedEnd] = field(factory=dict)
    whole: bool = field(default=Factory(lambda self: self.quoted, takes_self=True), kw_only=True)
    lines: int = field(default=0, init=False)
    _digest: Any = field(factory=lambda: blake2b(digest_size=16), init=False)
    _raw: BinaryIO | None = field(default=None, init=False)
    _told: int = field(default=0, init=False)
    _last: bytes = field(default=b"", init=False)

    @property
    def name(self) -> str:
        """The name of the file without its folder, as faults show it."""
        return self.path.name

    def size(self) -> int:
        """Return the length of the file in bytes, as it is on the disk."""
        with naming(self.path):
            return self.path.stat().st_size

    def is_packed(self) -> bool:
        """Whether the file is compressed with gzip, whatever its name."""
        with _opened(self.path) as (file, raw):
            return file is not raw

    def is_marked(self) -> bool:
        """Whether the text begins with a mark of UTF-8."""
        with _opened(self.path) as (file, _):
            return file.tell() > 0

    def first_line(self, *, after: int = 0) -> bytes | None:
        """Return the first complete line after some; None for a file that has none."""
        with _opened(self.path) as (file, _):
            for _ in range(after):
                self._next(file)
            line = self._next(file)
        return line or None

    def read(self, after: FileMark | None, *, first: bytes | None = None) -> Iterator[bytes]:
        """Yield the lines behind a mark, all of them for None; `first` is the line that it must begin with, if any.

        Raises:
            UnreadableSource: the lines up to the mark are not those that were read before, or the first one is another.

        """
        with _opened(self.path) as (file, raw):
            self._raw = raw
            offset = file.tell()
            if after is not None:
                offset = self._skip(file, after, offset)
            while line := self._next(file):
                if first is not None and self.lines == 0 and line != first:
                    raise UnreadableSource(f"{self.name}: another file has taken its place")
                yield line
                offset += len(line)
                self._passed(line)
            if file is raw and not self.whole:
                self.places[self.mark()] = MarkedEnd(offset, self._digest.copy(), self._last)
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

    def _skip(self, file: BinaryIO, mark: FileMark, offset: int) -> int:
        """Pass over the lines of a mark, and return the offset behind them."""
        place = self.places.pop(mark, None)
        if place is not None and self._is_there(file, place):
            self.lines, self._digest, self._last = mark.lines, place.digest.copy(), place.last
            return place.offset
        file.seek(offset)
        while self.lines < mark.lines and (line := self._next(file)):
            offset += len(line)
            self._passed(line)
        if self.mark() != mark:
            raise UnreadableSource(
                f"{self.name}: its first {mark.lines:,} lines are not those that were imported before"
            )
        return offset

    def _is_there(self, file: BinaryIO, place: MarkedEnd) -> bool:
        file.seek(place.offset - len(place.last))
        return file.read(len(place.last)) == place.last

    def _passed(self, line: bytes) -> None:
        self.lines += 1
        self._digest.update(line)
        self._last = line

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
        except _DAMAGED:
            raise UnreadableSource(f"{self.name}, line {self.lines + 1}: {CUT_OFF}") from None
        if not self.whole and not line.endswith(b"\n") and b"\r" in line[:-1]:
            raise UnreadableSource(f"{self.name}, line {self.lines + 1}: {_ONLY_CR}")
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            raise UnreadableSource(f"{self.name}, line {self.lines + 1}: it is longer than a mebibyte")
        if line and self.whole and not line.endswith(b"\n"):
            line += b"\n"
        return line if line.endswith(b"\n") else b""


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Lend a file for reading, unpacked and behind its mark of UTF-8, with the file as it is on the disk."""
    with ExitStack() as files:
        with naming(path):
            raw = files.enter_context(path.open("rb"))
            packed = raw.peek(len(_GZIP_START)).startswith(_GZIP_START)
            file = files.enter_context(_unpacked(raw)) if packed else raw
        try:
            beginning = file.peek(_LONGEST_BEGINNING)
        except _DAMAGED:
            raise UnreadableSource(f"{path.name}, line 1: {CUT_OFF}") from None
        for mark, kind in _OTHERS.items():
            if beginning.startswith(mark):
                raise UnreadableSource(f"{path.name} is {kind}")
        if beginning.startswith(BOM_UTF8):
            file.read(len(BOM_UTF8))
        yield file, raw


def _unpacked(raw: BinaryIO) -> io.BufferedReader:
    # The buffer finds the ends of lines faster than the file of gzip does.
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)), _BUFFER)
