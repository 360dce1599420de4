"""A cell: a store of the traffic of some sites, and whether it takes new ones (docs/internals/servers/cells.md)."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, field, frozen

from footfall.domain.exceptions import DomainError, Invalid

# The store of the journal keeps traffic, too: that of the sites which are in no cell.
MAIN = "main"
# Layouts of stores that are no schema of one server; one of them may stand before the URL of a place: citus+postgresql://…
LAYOUTS = ("citus",)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
NAME_RULE = "must be 1 to 31 lower-case letters, digits and underscores, beginning with a letter"


class CellRefused(DomainError):
    """A cell that is not there, is there already, or takes no new sites."""


@frozen
class CellAdded:
    """A cell takes sites from now on; its store has this mark, and is at the place of the cell's name."""

    name: str
    mark: str = field(repr=False)


@frozen
class CellMoved:
    """The store of the cell is at another place from now on, and has another mark there."""

    place: str
    mark: str = field(repr=False)


@frozen
class CellClosed:
    """The cell takes no new sites; it keeps those that it has."""


@frozen
class CellOpened:
    """The cell takes new sites again."""


CellEvent = CellAdded | CellMoved | CellClosed | CellOpened


@frozen(kw_only=True)
class Cell:
    """The state of a cell: the place of its store, which the configuration names as the cell, and its mark."""

    name: str
    place: str
    mark: str = field(repr=False)
    closed: bool = False


def split_place(place: str) -> tuple[str | None, str]:
    """Return the layout of the stores at a place, None for the usual one, and the URL of the place."""
    layout, plus, url = place.partition("+")
    return (layout, url) if plus and layout in LAYOUTS else (None, place)


def valid_name(text: str) -> bool:
    """Whether a text can name a cell or a place."""
    return _NAME.fullmatch(text) is not None


def add(state: Cell | None, name: str, mark: str) -> list[CellEvent]:
    """Decide that there is a cell.

    Raises:
        Invalid: the name breaks a rule, or is that of the store of the journal.
        CellRefused: there is one of this name.

    """
    if name == MAIN or not valid_name(name):
        raise Invalid({"name": [f"{NAME_RULE}, and other than {MAIN}"]})
    if state is not None:
        raise CellRefused(f"there is a cell {name} already")
    return [CellAdded(name, mark)]


def move(state: Cell | None, name: str, place: str, mark: str) -> list[CellEvent]:
    """Decide that the store of a cell is at another place.

    Raises:
        CellRefused: there is no such cell.

    """
    current = existing(state, name)
    return [] if (current.place, current.mark) == (place, mark) else [CellMoved(place, mark)]


def close(state: Cell | None, name: str) -> list[CellEvent]:
    """Decide that a cell, or the store of the journal, takes no new sites.

    Raises:
        CellRefused: there is no such cell.

    """
    if state is None and name == MAIN:
        return [CellAdded(MAIN, ""), CellClosed()]
    return [] if existing(state, name).closed else [CellClosed()]


def reopen(state: Cell | None, name: str) -> list[CellEvent]:
    """Decide that a cell, or the store of the journal, takes new sites again.

    Raises:
        CellRefused: there is no such cell.

    """
    if state is None and name == MAIN:
        return []
    return [CellOpened()] if existing(state, name).closed else []


def apply(state: Cell | None, event: Any) -> Cell | None:
    """Return the state after an event; accepts every event of the history."""
    match event:
        case CellAdded(name, mark):
            return Cell(name=name, place=name, mark=mark)
        case CellMoved(place, mark) if state is not None:
            return evolve(state, place=place, mark=mark)
        case CellClosed() if state is not None:
            return evolve(state, closed=True)
        case CellOpened() if state is not None:
            return evolve(state, closed=False)
    return state


def existing(state: Cell | None, name: str) -> Cell:
    """Return the cell.

    Raises:
        CellRefused: there is none.

    """
    if state is None or name == MAIN:
        raise CellRefused(f"there is no cell {name}: footfall cell list names those that there are")
    return state


def choose(
    cells: Mapping[str, Cell], traffic: Mapping[str, int], sites: Mapping[str, int], wanted: str | None
) -> str | None:
    """Return the cell of a new site: the wanted one, or else the open one with the least traffic; None is the main one.

    `traffic` holds the recent events of the cells that answer, `sites` the number of sites of each cell. Among cells
    with equal traffic it is the one with the fewest sites, and among these the first one by name.

    Raises:
        CellRefused: the wanted cell is not there or closed, or no open cell answers.

    """
    if wanted is not None:
        return _open(cells, wanted)
    open_cells = [name for name in _all(cells) if not _is_closed(cells, name) and name in traffic]
    if not open_cells:
        raise CellRefused("no open cell answers: footfall cell list names the open ones")
    chosen = min(open_cells, key=lambda name: (traffic[name], sites.get(name, 0), name))
    return None if chosen == MAIN else chosen


def _open(cells: Mapping[str, Cell], wanted: str) -> str | None:
    if wanted != MAIN:
        existing(cells.get(wanted), wanted)
    if _is_closed(cells, wanted):
        raise CellRefused(f"the cell {wanted} is closed to new sites")
    return None if wanted == MAIN else wanted


def _all(cells: Mapping[str, Cell]) -> Iterable[str]:
    return {MAIN, *cells}


def _is_closed(cells: Mapping[str, Cell], name: str) -> bool:
    return name in cells and cells[name].closed
