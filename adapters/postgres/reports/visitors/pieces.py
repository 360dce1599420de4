"""Division of periods for counting their distinct visitors: into counted days, and gaps between them."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import EPOCH, QUARTER

_DAY = 96
# The reach of `recent` in quarters, see visitors_day. No day of any zone is longer.
_RECENT = 99


@frozen
class _Part:
    """Quarters of a counted day, by their places in it; its piece began `since` quarters before the day."""

    day: int
    first: int
    last: int
    since: int

    @property
    def whole(self) -> bool:
        return self.last - self.first + 1 == _DAY

    @property
    def recent(self) -> bool:
        return self.since + self.last <= _RECENT


@frozen
class _Piece:
    """A piece by its number; times are numbers of quarters."""

    number: int
    start: int
    end: int
    begins_counted: bool
    parts: Sequence[_Part]
    gaps: Sequence[tuple[int, int]]

    @property
    def of_rows(self) -> bool:
        """Whether looking up visitors would save nothing.

        Each visitor of a gap is looked for in earlier sessions: that costs twenty times as much as counting the
        sessions of a short piece.
        """
        return not self.parts or (bool(self.gaps) and self.end - self.start <= _RECENT + 1)


@frozen
class VisitorPieces:
    """Pieces whose visitors are looked up as far as days have been counted, and those that are asked of their rows."""

    looked_up: Sequence[_Piece]
    of_rows: Sequence[_Piece]

    @classmethod
    def of(cls, pieces: Sequence[Period], days: Sequence[datetime]) -> Self:
        """Cut pieces along the days that have been counted, ascending; they begin and end with quarters.

        Pieces are numbered from 1 on.
        """
        counted = [_quarter(day) // _DAY for day in days]
        cut = [_cut(number, piece, counted) for number, piece in enumerate(pieces, start=1)]
        return cls([piece for piece in cut if not piece.of_rows], [piece for piece in cut if piece.of_rows])

    @property
    def with_gaps(self) -> Sequence[int]:
        """The numbers of those that are looked up but for their gaps."""
        return [piece.number for piece in self.looked_up if piece.gaps]

    def without_gaps(self) -> "VisitorPieces":
        """Ask those with gaps of their rows, too."""
        return VisitorPieces(
            [piece for piece in self.looked_up if not piece.gaps],
            [*self.of_rows, *(piece for piece in self.looked_up if piece.gaps)],
        )

    @property
    def rows(self) -> dict[str, Any]:
        """The pieces that are asked of rows, as parameters of a statement."""
        return {
            "row_pieces": [piece.number for piece in self.of_rows],
            "row_starts": [_instant(piece.start) for piece in self.of_rows],
            "row_ends": [_instant(piece.end) for piece in self.of_rows],
        }

    @property
    def gaps(self) -> dict[str, Any]:
        """The gaps of the others, as parameters of a statement."""
        gaps = [(piece, start, end) for piece in self.looked_up for start, end in piece.gaps]
        return {
            "gap_pieces": [piece.number for piece, _, _ in gaps],
            "gap_starts": [_instant(start) for _, start, _ in gaps],
            "gap_ends": [_instant(end) for _, _, end in gaps],
            "gap_since": [_instant(piece.start) for piece, _, _ in gaps],
        }

    @property
    def days(self) -> dict[str, Any]:
        """The parts in counted days, as parameters of a statement; days are places in `days`, from 1 on."""
        parts = [(piece.number, part) for piece in self.looked_up for part in piece.parts]
        places = {day: place for place, day in enumerate(sorted({part.day for _, part in parts}), start=1)}
        over = [piece for piece in self.looked_up if piece.begins_counted]
        met = [piece for piece in self.looked_up if not piece.begins_counted]
        return {
            "days": [_instant(day * _DAY) for day in places],
            "over_pieces": [piece.number for piece in over],
            "over_days": [places[piece.start // _DAY] for piece in over],
            "over_quarters": [piece.start % _DAY for piece in over],
            "met_pieces": [piece.number for piece in met],
            "met_at": [_instant(piece.start) for piece in met],
            **_columns("whole", places, [one for one in parts if one[1].whole]),
            **_columns("part", places, [one for one in parts if not one[1].whole]),
        }


def _cut(number: int, piece: Period, counted: Sequence[int]) -> _Piece:
    start, end = _quarter(piece.start), _quarter(piece.end)
    # A period may last thousands of years: only its counted days are visited.
    days = counted[bisect_left(counted, start // _DAY) : bisect_left(counted, end / _DAY)]
    parts = [
        _Part(day, max(start - day * _DAY, 0), min(end - day * _DAY, _DAY) - 1, day * _DAY - start)
        for day in days
    ]
    edges = [start, *(edge for day in days for edge in (day * _DAY, (day + 1) * _DAY)), end]
    gaps = [(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True) if first < last]
    return _Piece(number, start, end, start // _DAY in days[:1], parts, gaps)


def _columns(
    kind: str, places: Mapping[int, int], parts: Sequence[tuple[int, _Part]]
) -> dict[str, list[int]]:
    return {
        f"{kind}_pieces": [number for number, _ in parts],
        f"{kind}_days": [places[part.day] for _, part in parts],
        f"{kind}_first": [part.first for _, part in parts],
        f"{kind}_last": [part.last for _, part in parts],
        f"{kind}_recent": [part.since if part.recent else 0 for _, part in parts],
        f"{kind}_earlier": [part.since if part.whole or not part.recent else 0 for _, part in parts],
    }


def _quarter(at: datetime) -> int:
    return (at - EPOCH) // QUARTER


def _instant(quarter: int) -> datetime:
    return EPOCH + quarter * QUARTER
