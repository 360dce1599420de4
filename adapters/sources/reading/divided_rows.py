"""Rows of a source that is read again, divided by the mark up to which they are known."""

from collections.abc import Iterable

from footfall.application.ports.imports import Halves, Row


def halved(rows: Iterable[tuple[Row | None, bool]], done: int) -> Halves:
    """Return rows, each with whether it is behind the mark; lines without a row are None, and dropped."""
    before: list[Row] = []
    new: list[Row] = []
    for row, is_new in rows:
        if row is not None:
            (new if is_new else before).append(row)
    return Halves(before, new, done)
