"""Reports as tables, for files that other programs read (docs/http-api/files.md)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from attrs import frozen

from footfall.application.reports.all_sites import SiteVisitors
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.traffic.conversion import Conversions

MAX_ROWS = 10_000
CONVERSIONS = ("total_conversions", "total_sessions", "conversion_rate")

Value = str | int | float | None


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
    rows = [
        {
            "siteId": site.record.site.site_id,
            "id": site.record.site.public_id,
            "name": site.record.site.name,
            "domain": site.record.site.domain,
            "visitors": site.recent.visitors if site.recent else None,
            "previous": site.recent.before if site.recent else None,
            "change": site.recent.change if site.recent else None,
        }
        for site in sites
    ]
    return table_of(("siteId", "id", "name", "domain", "visitors", "previous", "change"), rows)


def annotations_table(annotations: Iterable[Annotation]) -> Table:
    """Return annotations of charts and marks of deploys."""
    rows = [
        {"annotationId": mark.annotation_id, "at": mark.at, "text": mark.text, "release": mark.release}
        for mark in annotations
    ]
    return table_of(("annotationId", "at", "text", "release"), rows)


def conversion_figures(conversions: Conversions) -> dict[str, Any]:
    """Return conversions as columns."""
    figures = (conversions.conversions, conversions.sessions, conversions.rate)
    return dict(zip(CONVERSIONS, figures, strict=True))


def table_of(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Return rows by the names of their columns as a table; a missing name is a missing value."""
    return Table(columns, [[_value(row.get(name)) for name in columns] for row in rows])


def _value(value: Any) -> Value:
    match value:
        case datetime():
            return f"{value.astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}Z"
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case str() | int() | float() | None:
            return value
    raise TypeError(type(value).__name__)
