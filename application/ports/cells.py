"""Ports of cells: the traffic that each of them has, their copies of the journal, and where they have moved."""

from collections.abc import Mapping
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.journal import StoreUnavailable


class CellAway(StoreUnavailable):
    """The store of a cell does not answer, or is not configured here; sites of other cells are not concerned."""


class JournalCopy(Protocol):
    """The copy of the journal in the store of a cell, with the events of the sites that are placed in it."""

    @property
    def reached(self) -> int:
        """The position up to which this process knows the copy to be complete."""

    async def bring(self, up_to: int) -> None:
        """Copy the events up to a position of the journal, each once.

        Raises:
            CellAway: the store of the cell does not answer, or is that of another cell.
            StoreUnavailable: the journal cannot be read.

        """


@frozen
class MovedTo:
    """The place where the store of a cell is now, and its mark there."""

    place: str
    mark: str = field(repr=False)


class MoveSigns(Protocol):
    """The signs that a cell leaves at the places from which it has moved."""

    async def read(self) -> MovedTo | None:
        """Return where the cell is now; None when it has not moved.

        Raises:
            StoreUnavailable: the store at the place does not answer.

        """


class CellTraffic(Protocol):
    """Knows how busy cells are."""

    async def recent(self) -> Mapping[str, int]:
        """Return the events that each cell has stored within a week, the store of the journal included.

        Cells that do not answer are not named.
        """
