"""Sets of growing files that are read as one, in the order of time, with one mark for all of them."""

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import orjson
from attrs import define, field

from footfall.adapters.sources.reading.line_files import FileMark, LineFile, MarkedEnd
from footfall.application.ports.imports import Halves, Piece, Row, UnreadableRow, UnreadableSource

ROWS_OF_A_PIECE = 5_000
# Lines without a row, such as empty ones, move the progress too.
LINES_OF_A_PIECE = 100_000
# Lines in which the time of a file is looked for.
_LINES_TO_A_TIME = 10_000
_EARLIEST = datetime.min.replace(tzinfo=UTC)

# Turns the lines of a file into rows, each with the lines that it takes; the file tells the place of a fault.
Parse = Callable[[LineFile, Iterator[bytes]], Iterator[tuple[Row | None, bytes]]]


@define
class FileSource(ABC):
    """Files of one format, one after the other or side by side; all of them are one source."""

    _paths: Sequence[Path]
    key: str = field(default="", init=False)

    def total(self) -> int:
        """Return the size of the files in bytes."""
        return self._file_set().size()

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the rows behind the mark."""
        return self._file_set().pieces(mark)

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield all rows, those behind the mark apart."""
        return self._file_set().halves(mark)

    @abstractmethod
    def _file_set(self) -> "FileSet":
        """Return the files, with what reads their lines."""


@define
class FileSet:
    """Files of one format, such as rotated logs; a file is known by its first row, whatever its name has become.

    With `header`, the files are CSV, whose first line names the columns. Files that overlap in time are merged, so that
    the rows of a visitor come in the order of time.
    """

    _paths: Sequence[Path]
    _parse: Parse
    _header: bool = field(default=False, kw_only=True)
    # Where the files of the marks end that have been read, for sets that are read again and again.
    _places: dict[FileMark, MarkedEnd] = field(factory=dict, kw_only=True)
    # What the files must be known by, where others may take their places.
    _expected: Mapping[Path, str] = field(factory=dict, kw_only=True)
    _rows_of_a_piece: int = field(default=ROWS_OF_A_PIECE, kw_only=True)
    _lines_of_a_piece: int = field(default=LINES_OF_A_PIECE, kw_only=True)

    def size(self) -> int:
        """Return the length of all files in bytes."""
        return sum(LineFile(path).size() for path in self._paths)

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the rows of all files behind the mark."""
        marks = _read_mark(mark)
        readings = self._readings(marks)
        rows: list[Row] = []
        lines = 0
        for reading, row, line in _merged(list(readings.values())):
            lines += 1
            if row is not None:
                rows.append(row)
            if len(rows) >= self._rows_of_a_piece or lines >= self._lines_of_a_piece:
                yield _piece(rows, marks, readings, reading, line)
                rows, lines = [], 0
        if readings:
            yield _piece(rows, marks, readings, None, b"")

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield the rows of all files, those behind the mark apart."""
        marks = _read_mark(mark)
        readings = self._readings({})
        lines = {reading: marks[name].lines for name, reading in readings.items() if name in marks}
        merged = _merged(list(readings.values()))
        # A reading has finished with the lines before the one that it has yielded.
        rows = ((row, reading.file.lines >= lines.get(reading, 0)) for reading, row, _ in merged)
        while piece := list(islice(rows, self._rows_of_a_piece)):
            yield halved(piece, _advanced(readings))

    def _readings(self, marks: Mapping[str, FileMark]) -> dict[str, "_Reading"]:
        readings: dict[str, _Reading] = {}
        for path in self._paths:
            file = LineFile(path, self._header, self._places)
            first = file.first_line(after=int(self._header))
            identity = None if first is None else identity_of(first)
            if self._expected.get(path, identity) != identity:
                raise UnreadableSource(f"{file.name}: another file has taken its place")
            if first is None or identity is None:
                continue
            if identity in readings:
                other = readings[identity].file.name
                raise UnreadableSource(
                    f"{other} and {file.name} begin with the same row: give one of the two"
                )
            readings[identity] = _Reading(
                file, marks.get(identity), self._parse, None if self._header else first
            )
        return readings


@define(eq=False)
class _Reading:
    """One file on its way through the merge; `at` is the latest time that it has shown."""

    file: LineFile
    _after: FileMark | None
    _parse: Parse
    _first: bytes | None
    at: datetime = field(default=_EARLIEST, init=False)

    def first_at(self) -> datetime:
        """Return the time of the first row that has one."""
        head = LineFile(self.file.path, self.file.quoted)
        rows = islice(self._parse(head, head.read(None)), _LINES_TO_A_TIME)
        times = (_time_of(row) for row, _ in rows)
        return next((at for at in times if at is not None), _EARLIEST)

    def rows(self) -> Iterator[tuple[Row | None, bytes]]:
        """Yield the rows behind the mark, each with its line."""
        for row, line in self._parse(self.file, self.file.read(self._after, first=self._first)):
            self.at = max(self.at, _time_of(row) or self.at)
            yield row, line


def _merged(readings: Sequence[_Reading]) -> Iterator[tuple[_Reading, Row | None, bytes]]:
    """Yield the rows of all files by time; a file is opened when its first row is due."""
    waiting = sorted(
        ((reading.first_at(), number, reading) for number, reading in enumerate(readings)), reverse=True
    )
    due: list[tuple[datetime, int, _Reading, Iterator[tuple[Row | None, bytes]], Row | None, bytes]] = []
    while waiting or due:
        while waiting and (not due or waiting[-1][0] <= due[0][0]):
            _, number, reading = waiting.pop()
            rows = reading.rows()
            if (first := next(rows, None)) is not None:
                heapq.heappush(due, (reading.at, number, reading, rows, *first))
        if not due:
            continue
        _, number, reading, rows, row, line = due[0]
        yield reading, row, line
        if (following := next(rows, None)) is None:
            heapq.heappop(due)
        else:
            heapq.heapreplace(due, (reading.at, number, reading, rows, *following))


def _piece(
    rows: list[Row],
    marks: dict[str, FileMark],
    readings: Mapping[str, _Reading],
    last: _Reading | None,
    line: bytes,
) -> Piece:
    for identity, reading in readings.items():
        mark = reading.file.mark(line if reading is last else b"")
        if mark.lines:
            marks[identity] = mark
    return Piece(rows, _write_mark(marks), _advanced(readings))


def _advanced(readings: Mapping[str, _Reading]) -> int:
    return sum(reading.file.advanced() for reading in readings.values() if reading.file.lines)


def _time_of(row: Row | None) -> datetime | None:
    return None if row is None or isinstance(row, UnreadableRow) else row.occurred_at


def halved(rows: Iterable[tuple[Row | None, bool]], done: int) -> Halves:
    """Return rows, each with whether it is behind the mark; lines without a row are None, and dropped."""
    before: list[Row] = []
    new: list[Row] = []
    for row, is_new in rows:
        if row is not None:
            (new if is_new else before).append(row)
    return Halves(before, new, done)


def identity_of(first: bytes) -> str:
    """Return what a file is known by: a digest of its first row."""
    return blake2b(first, digest_size=16).hexdigest()


def known_files(mark: str | None) -> frozenset[str]:
    """Return what the files are known by that have been read up to a mark."""
    return frozenset(_read_mark(mark))


def _read_mark(text: str | None) -> dict[str, FileMark]:
    if text is None:
        return {}
    return {identity: FileMark(*mark) for identity, mark in orjson.loads(text).items()}


def _write_mark(marks: Mapping[str, FileMark]) -> str:
    return orjson.dumps({identity: [mark.lines, mark.digest] for identity, mark in marks.items()}).decode()
