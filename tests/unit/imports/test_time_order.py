"""Rows in the order of time: each mark resumes exactly, rows without a time included."""

from operator import attrgetter

import pytest

from footfall.adapters.sources.reading.time_order import OrderedSource
from footfall.application.ports.imports import UnreadableRow, UnreadableSource

KNOWN, NEW = attrgetter("known"), attrgetter("new")


class Rows:
    """A table of instants."""

    def __init__(self, *instants):
        self.instants = instants

    def count(self, up_to):
        return sum(1 for at in self.instants if at is None or up_to is None or at <= up_to)

    def rows(self, after):
        for number, at in enumerate(self.instants):
            if after is None or (at is not None and at > after):
                yield at, UnreadableRow(str(number), "")


def source(table, **limits):
    return OrderedSource("format", "key", "description", table, **limits)


def parts(table):
    return OrderedSource("format", "key", "description", table, in_parts=True)


def places(table, mark=None, **limits):
    return [row.place for piece in source(table, **limits).pieces(mark) for row in piece.rows]


def known_and_new(table, mark, **limits):
    found = list(source(table, **limits).halves(mark))
    return tuple([row.place for one in found for row in half(one)] for half in (KNOWN, NEW))


def test_a_row_behind_which_the_mark_stands_is_known_though_it_was_not_there():
    mark = list(source(Rows(5, 7)).pieces(None))[-1].mark

    assert known_and_new(Rows(None, 5, 6, 7, 8), mark) == (["0", "1", "2", "3"], ["4"])
    assert known_and_new(Rows(7, 8), mark) == (["0"], ["1"])


@pytest.mark.parametrize("instants", [(None, None, None, 5, 5, 6), (None, None), (1, 2), ()])
def test_each_mark_resumes_exactly(instants):
    table, done, limits = Rows(*instants), 0, {"rows_of_a_piece": 1}
    whole = places(table, **limits)

    for piece in source(table, **limits).pieces(None):
        done += len(piece.rows)
        assert places(table, piece.mark, **limits) == whole[done:]
        assert known_and_new(table, piece.mark, **limits) == (whole[:done], whole[done:])

    assert done == len(instants)


@pytest.mark.parametrize(("instants", "read"), [((5, 7, 8), ["2"]), ((8,), ["0"]), ((), [])])
def test_parts_are_read_all_or_only_the_new_ones(instants, read):
    mark = list(parts(Rows(5, 7)).pieces(None))[-1].mark

    assert [row.place for piece in parts(Rows(*instants)).pieces(mark) for row in piece.rows] == read


def test_some_of_the_known_parts_are_refused_because_new_ones_could_be_among_them():
    mark = list(parts(Rows(5, 7)).pieces(None))[-1].mark

    with pytest.raises(
        UnreadableSource, match=r"1 of the 2 row\(s\) that were read .*: give all files, or only"
    ):
        list(parts(Rows(6, 8)).pieces(mark))


@pytest.mark.parametrize(
    ("at", "shown"),
    [(None, "without a time"), (0, "at 1970-01-01T00:00:00"), (10**18, "at 1000000000000000000 micro")],
)
def test_more_rows_of_one_instant_than_memory_holds_are_refused(at, shown):
    with pytest.raises(UnreadableSource, match=rf"more than 3 rows {shown}"):
        places(Rows(*[at] * 6), rows_of_a_piece=2, rows_of_an_instant=3)


def test_a_source_that_grew_behind_a_mark_out_of_range_is_refused():
    mark = list(source(Rows(10**18)).pieces(None))[-1].mark

    with pytest.raises(UnreadableSource, match=r"has 1 row\(s\) more up to 10+ microseconds"):
        places(Rows(5, 10**18), mark)
