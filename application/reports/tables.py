"""Reports as tables, for files that other programs read (docs/read/programs/files.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from operator import attrgetter
from typing import Any

from attrs import frozen

from footfall.application.reports.all_sites import SiteVisitors
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.traffic.conversion import Conversions

MAX_ROWS = 10_000
CONVERSIONS = ("total_conversions", "total_sessions", "conversion_rate")

Value = str | int | float | None
# The path of an attribute of an item, such as `hit.browser`, or a function of the item.
Column = str | Callable[[Any], Any]


@frozen
class Table:
    """The rows of a report under the names of its columns; None is a missing value."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as objects with the columns as names."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def all_sites_table(sites: Iterable[SiteVisitors]) -> Table:
    """Return sites with their visitors; those of a store that does not answer have none."""
    columns: dict[str, Column] = {
        "siteId": "record.site.site_id",
        "id": "record.site.public_id",
        "name": "record.site.name",
        "domain": "record.site.domain",
        "visitors": lambda site: site.recent and site.recent.visitors,
        "previous": lambda site: site.recent and site.recent.before,
        "change": lambda site: site.recent and site.recent.change,
    }
    return table_by(columns, sites)


def annotations_table(annotations: Iterable[Annotation]) -> Table:
    """Return annotations of charts and marks of deploys."""
    columns = {"annotationId": "annotation_id", "at": "at", "text": "text", "release": "release"}
    return table_by(columns, annotations)


def conversion_figures(conversions: Conversions) -> dict[str, Any]:
    """Return conversions as columns."""
    figures = (conversions.conversions, conversions.sessions, conversions.rate)
    return dict(zip(CONVERSIONS, figures, strict=True))


def records_by(columns: Mapping[str, Column], items: Iterable[Any]) -> list[dict[str, Any]]:
    """Return items as rows by the names of their columns."""
    readers = {name: attrgetter(read) if isinstance(read, str) else read for name, read in columns.items()}
    return [{name: read(item) for name, read in readers.items()} for item in items]


def table_by(columns: Mapping[str, Column], items: Iterable[Any]) -> Table:
    """Return items as a table."""
    return table_of(tuple(columns), records_by(columns, items))


def table_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Return rows by the names of their columns as a table; a missing name is a missing value."""
    return Table(columns, [[_value(row.get(name)) for name in columns] for row in rows])


def _value(value: Any) -> Value:
    match value:
        case datetime():
            return instant_text(value)
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case str() | int() | float() | None:
            return value
    raise TypeError(type(value).__name__)
