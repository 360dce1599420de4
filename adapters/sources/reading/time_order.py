"""Tables of other services, read in the order of time, with a mark that stands between two instants."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Protocol

import orjson
from attrs import define, field

from footfall.adapters.sources.reading.file_set import halved
from footfall.application.ports.imports import Halves, Piece, Row, UnreadableSource

ROWS_OF_A_PIECE = 5_000
# Rows of one instant are in one piece, because they have no order of their own.
ROWS_OF_AN_INSTANT = 100_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# Microseconds since 1970, or None for a row without a time.
Instant = int | None


class OrderedRows(Protocol):
    """Rows in the order of time, those without a time first.

    Every method raises UnreadableSource when the table cannot be read.
    """

    def count(self, up_to: Instant) -> int:
        """Return how many rows there are, up to an instant and with it if one is given."""

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row | None]]:
        """Yield the rows with their instants, those after an instant if one is given."""


@define
class _Mark:
    at: Instant
    rows: int

    def text(self) -> str:
        return orjson.dumps([self.at, self.rows]).decode()

    def is_before(self, number: int, at: Instant) -> bool:
        """Whether the mark stands before a row, which is known by its number where the mark has no instant."""
        if self.at is None:
            return number >= self.rows
        return at is not None and at > self.at


def _read_mark(text: str | None) -> _Mark:
    return _Mark(None, 0) if text is None else _Mark(*orjson.loads(text))


@define
class OrderedSource:
    """The table of one site of a service; in a database and in files it is one source.

    `in_parts` says that it consists of files of periods, of which a later import may have all or only the newer ones.
    """

    format: str
    key: str
    description: str
    _table: OrderedRows
    _in_parts: bool = field(default=False, kw_only=True)
    _rows_of_a_piece: int = field(default=ROWS_OF_A_PIECE, kw_only=True)
    _rows_of_an_instant: int = field(default=ROWS_OF_AN_INSTANT, kw_only=True)

    def total(self) -> int:
        """Return the number of rows."""
        return self._table.count(None)

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the rows behind a mark; rows of one instant are in one piece.

        Raises:
            UnreadableSource: there are rows before the mark that were not there when they were read, only some of
                them are there where the source is in parts, or there are too many of one instant.

        """
        reached = _read_mark(mark)
        if reached.rows:
            skipped = self._table.count(reached.at) if reached.at is not None else reached.rows
            _check(reached, skipped)
            if self._in_parts and 0 < skipped < reached.rows:
                raise _some_of_known(reached, skipped)
            yield Piece((), reached.text(), skipped)
        rows: list[Row] = []
        read = 0
        for at, row in _behind(self._table, reached):
            if read >= self._rows_of_a_piece and at != reached.at:
                yield Piece(rows, reached.text(), read)
                rows, read = [], 0
            if row is not None:
                rows.append(row)
            read += 1
            if read > self._rows_of_a_piece + self._rows_of_an_instant:
                raise too_many_at(at, self._rows_of_an_instant)
            reached = _Mark(at, reached.rows + 1)
        if read:
            yield Piece(rows, reached.text(), read)

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield all rows, those behind a mark apart."""
        reached = _read_mark(mark)
        rows = (
            (row, reached.is_before(number, at)) for number, (at, row) in enumerate(self._table.rows(None))
        )
        while piece := list(islice(rows, self._rows_of_a_piece)):
            yield halved(piece, len(piece))


def too_many_at(at: Instant, most: int = ROWS_OF_AN_INSTANT) -> UnreadableSource:
    """Return the refusal of more rows of one instant than a piece may have."""
    of_instant = "without a time" if at is None else f"at {_shown(at)}"
    return UnreadableSource(f"the source has more than {most:,} rows {of_instant}")


def time_of(at: int) -> datetime:
    """Return an instant as a time.

    Raises:
        ValueError: there is no such time.

    """
    try:
        return _EPOCH + at * _MICROSECOND
    except OverflowError:
        raise ValueError("its time is out of range") from None


def instant_of(time: datetime) -> int:
    """Return the instant of a time."""
    return (time - _EPOCH) // _MICROSECOND


def _behind(table: OrderedRows, reached: _Mark) -> Iterator[tuple[Instant, Row | None]]:
    """Yield the rows behind a mark; one without an instant stands between rows that have none."""
    rows = table.rows(reached.at)
    return islice(rows, reached.rows, None) if reached.at is None else rows


def _check(reached: _Mark, there: int) -> None:
    if there > reached.rows:
        raise UnreadableSource(
            f"the source has {there - reached.rows:,} row(s) more up to {_shown(reached.at or 0)} than when they were"
            " read: take the import back and import the source again"
        )


def _some_of_known(reached: _Mark, there: int) -> UnreadableSource:
    """Return the refusal of parts that could hide rows: those that are new among those that were read."""
    return UnreadableSource(
        f"the source has {there:,} of the {reached.rows:,} row(s) that were read up to {_shown(reached.at or 0)}:"
        " give all files, or only those that begin later"
    )


def _shown(at: int) -> str:
    try:
        return time_of(at).isoformat()
    except ValueError:
        return f"{at} microseconds since 1970"
