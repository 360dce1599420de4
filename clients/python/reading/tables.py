"""Answers as Arrow tables (docs/read/programs/reading.md#types)."""

import csv
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from io import StringIO
from typing import Self, cast

from arro3.core import Array, ChunkedArray, DataType, Field, Schema, Table
from attrs import evolve, frozen

from footfall.client.reading.errors import UnreadableAnswer
from footfall.client.reading.report import ColumnType

_TEXT = DataType.string()
_MONEY = DataType.decimal128(38, 9)
_TYPES: Mapping[type, DataType] = {
    str: _TEXT,
    int: DataType.int64(),
    float: DataType.float64(),
    bool: DataType.bool(),
    datetime: DataType.timestamp("us", tz="UTC"),
    date: DataType.date32(),
    Decimal: _MONEY,
}
_ONE = Decimal(1).scaleb(-9)
_DIGITS = decimal.Context(prec=400)


@frozen
class Page:
    """Rows of a report as texts, by columns."""

    columns: tuple[str, ...]
    texts: tuple[Array, ...]
    rows: int

    def part(self, first: int, most: int | None) -> Self:
        """Return at most some of the rows from the first one on."""
        rows = max(0, self.rows - first if most is None else min(self.rows - first, most))
        return evolve(self, texts=tuple(column.slice(first, rows) for column in self.texts), rows=rows)


def read_page(text: str) -> Page:
    """Return the rows of an answer in CSV (docs/read/programs/files.md#csv).

    Raises:
        UnreadableAnswer: it is none.

    """
    lines = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        columns = tuple(next(lines, ()))
        rows = list(lines)
    except csv.Error as fault:
        raise UnreadableAnswer(f"The answer is no CSV: {fault}", status=200) from None
    if not columns or any(len(row) != len(columns) for row in rows):
        raise UnreadableAnswer("The answer is no table", status=200)
    cells = zip(*rows, strict=True) if rows else (() for _ in columns)
    return Page(
        columns, tuple(Array(list(map(_unmarked, column)), type=_TEXT) for column in cells), len(rows)
    )


def table_of(
    pages: Sequence[Page], kind_of: Callable[[str], ColumnType], metadata: Mapping[str, str]
) -> Table:
    """Return the rows of pages as one table with typed columns.

    Raises:
        UnreadableAnswer: pages have other columns than the first one, or a cell is not of the type of its column.

    """
    columns = pages[0].columns
    if any(page.columns != columns for page in pages):
        raise UnreadableAnswer("The pages of the answer have different columns", status=200)
    arrays = [
        _typed(name, ChunkedArray([page.texts[number] for page in pages]), kind_of(name))
        for number, name in enumerate(columns)
    ]
    fields = [Field(name, array.type, nullable=True) for name, array in zip(columns, arrays, strict=True)]
    return Table.from_arrays(arrays, schema=Schema(fields, metadata=dict(metadata)))


def _unmarked(cell: str) -> str:
    # A text that spreadsheets would run has an apostrophe before it.
    return cell.removeprefix("'")


def _typed(name: str, texts: ChunkedArray, kind: ColumnType) -> ChunkedArray:
    if kind.python is str and not kind.nullable:
        return texts.rechunk()
    cells = [cell or None for cell in _cells(texts)]
    if kind.python is Decimal:
        return _money(name, cells)
    return _cast(name, cells, _TYPES[kind.python])


def _money(name: str, cells: Sequence[str | None]) -> ChunkedArray:
    """Return amounts as decimals, or as floats where one has more digits than a decimal."""
    try:
        amounts = [None if cell is None else Decimal(cell).quantize(_ONE, context=_DIGITS) for cell in cells]
    except decimal.InvalidOperation:
        raise _not_of_type(name, _MONEY) from None
    try:
        return _cast(name, [None if one is None else format(one, "f") for one in amounts], _MONEY)
    except UnreadableAnswer:
        return _cast(name, cells, _TYPES[float])


def _cast(name: str, cells: Sequence[str | None], kind: DataType) -> ChunkedArray:
    found = ChunkedArray([Array(cells, type=_TEXT)]).cast(kind)
    # A text that is not of the type is cast to null.
    if found.null_count != cells.count(None):
        raise _not_of_type(name, kind)
    return found


def _cells(texts: ChunkedArray) -> Iterator[str]:
    return cast("Iterator[str]", iter(texts.to_pylist()))


def _not_of_type(name: str, kind: DataType) -> UnreadableAnswer:
    return UnreadableAnswer(f"Column {name!r} has a cell that is no {kind}", status=200)
