"""A cell, and the choice of one for a new site."""

import pytest

from footfall.domain.cells import cell
from footfall.domain.cells.cell import MAIN, CellAdded, CellClosed, CellOpened, CellRefused
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import Invalid

WEST = fold(cell.apply, [CellAdded("west", "mark")])
CLOSED = fold(cell.apply, [CellClosed()], WEST)


def cells(*names, closed=()):
    """Return cells by name, some of them closed."""
    every = {name: fold(cell.apply, [CellAdded(name, name)]) for name in names}
    return every | {
        name: fold(cell.apply, cell.close(every.get(name), name), every.get(name)) for name in closed
    }


def test_a_cell_is_added_once_and_is_at_the_place_of_its_name():
    [added] = cell.add(None, "west", "mark")

    assert added == CellAdded("west", "mark")
    assert (WEST.name, WEST.place, WEST.closed) == ("west", "west", False)
    with pytest.raises(CellRefused, match="there is a cell west already"):
        cell.add(WEST, "west", "another")


@pytest.mark.parametrize("name", ["", "main", "West", "9", "a-b", "a b", "x" * 32, 'a"'])
def test_a_name_that_is_no_schema_is_refused(name):
    with pytest.raises(Invalid, match="name: must be 1 to 31 lower-case letters"):
        cell.add(None, name, "mark")


def test_closing_and_opening_say_nothing_twice():
    assert cell.close(WEST, "west") == [CellClosed()]
    assert cell.close(CLOSED, "west") == []
    assert cell.reopen(CLOSED, "west") == [CellOpened()]
    assert cell.reopen(WEST, "west") == []


def test_the_store_of_the_journal_can_be_closed_without_having_been_added():
    closed = fold(cell.apply, cell.close(None, MAIN))

    assert closed.closed
    assert cell.reopen(None, MAIN) == []
    with pytest.raises(CellRefused, match="the cell main is closed"):
        cell.choose({MAIN: closed}, {}, {}, MAIN)


def test_a_cell_moves_to_another_place_once():
    there = fold(cell.apply, [*cell.add(None, "west", "first"), cell.CellClosed()])

    moved = cell.apply(there, *cell.move(there, "west", "harbour", "second"))

    assert (moved.name, moved.place, moved.mark, moved.closed) == ("west", "harbour", "second", True)
    assert cell.move(moved, "west", "harbour", "second") == []
    assert "second" not in str(moved)
    with pytest.raises(CellRefused, match="there is no cell east"):
        cell.move(None, "east", "harbour", "second")


@pytest.mark.parametrize("decide", [cell.close, cell.reopen])
def test_an_unknown_cell_is_refused_by_name(decide):
    with pytest.raises(CellRefused, match="there is no cell east"):
        decide(None, "east")


def test_a_new_site_goes_to_the_open_cell_with_the_least_traffic():
    traffic = {MAIN: 50, "a": 10, "b": 9, "c": 0}

    assert cell.choose(cells("a", "b", "c", closed=["c"]), traffic, {}, None) == "b"
    assert cell.choose(cells("a"), {MAIN: 1, "a": 10}, {}, None) is None


def test_with_equal_traffic_it_goes_where_the_fewest_sites_are_then_by_name():
    traffic = {MAIN: 0, "a": 0, "b": 0}

    assert cell.choose(cells("a", "b"), traffic, {MAIN: 1, "a": 2, "b": 1}, None) == "b"
    assert cell.choose(cells("a", "b"), traffic, {}, None) == "a"


def test_a_cell_that_does_not_answer_gets_no_new_site():
    assert cell.choose(cells("a", "b"), {MAIN: 7, "b": 9}, {}, None) is None
    with pytest.raises(CellRefused, match="no open cell answers"):
        cell.choose(cells("a", closed=[MAIN]), {MAIN: 0}, {}, None)


def test_a_wanted_cell_is_taken_whatever_its_traffic_unless_it_is_closed():
    known = cells("a", "b", closed=["b"])

    assert cell.choose(known, {}, {}, "a") == "a"
    assert cell.choose(known, {}, {}, MAIN) is None
    with pytest.raises(CellRefused, match="the cell b is closed to new sites"):
        cell.choose(known, {}, {}, "b")
    with pytest.raises(CellRefused, match="there is no cell z"):
        cell.choose(known, {}, {}, "z")
