"""Measures of pages as rows of the table `engagement`: lines for COPY on the way in, columns on the way out."""

from operator import attrgetter

from attrs import fields
from psycopg.rows import DictRow

from footfall.domain.tracking.engagement import Measure, RecordedMeasure

COLUMNS = tuple(attribute.name for attribute in fields(Measure))
COPY = f"copy engagement ({', '.join(COLUMNS)}) from stdin (format csv)".encode()

_VALUES = attrgetter(*COLUMNS)


def copy_row(measure: Measure) -> bytes:
    """Return the measure as one line for COPY, with its line end: numbers and a time need no quotes."""
    return ",".join(["" if value is None else str(value) for value in _VALUES(measure)]).encode() + b"\n"


def recorded_measure(row: DictRow) -> RecordedMeasure:
    """Return the measure of a row."""
    return RecordedMeasure(row["position"], Measure(**{name: row[name] for name in COLUMNS}))
