"""Measures of pages as rows of the table `engagement`: lines for COPY on the way in, columns on the way out."""

from datetime import datetime
from operator import attrgetter

from attrs import fields, frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import statement
from footfall.application.ports.traffic_log import NewestPageview
from footfall.domain.tracking.engagement import Measure, NamelessPages, RecordedMeasure

COLUMNS = tuple(attribute.name for attribute in fields(Measure))
COPY = f"copy engagement ({', '.join(COLUMNS)}) from stdin (format csv)".encode()

_VALUES = attrgetter(*COLUMNS)


def copy_row(measure: Measure) -> bytes:
    """Return the measure as one line for COPY, with its line end: numbers and a time need no quotes."""
    return ",".join(["" if value is None else str(value) for value in _VALUES(measure)]).encode() + b"\n"


def recorded_measure(row: DictRow) -> RecordedMeasure:
    """Return the measure of a row."""
    return RecordedMeasure(row["position"], Measure(**{name: row[name] for name in COLUMNS}))


@frozen
class PostgresNewestPageviews:
    """NewestPageviews over the tables of hits and measures."""

    _connections: Connections

    async def of_page(
        self, site_id: int, pages: NamelessPages, now: datetime, *, since: datetime
    ) -> NewestPageview | None:
        """Return the newest pageview of a page that was received from `since` to `now`."""
        until_now, before = pages.latest_first(now)
        values = {
            "site_id": site_id,
            "since": since,
            "now": now,
            "first": until_now.start,
            "newest": until_now.stop - 1,
            "last": before.stop - 1,
        }
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("intake/measures/newest_pageview"), values)
            row = await cursor.fetchone()
        return None if row is None else NewestPageview(row["pageview_key"], row["engaged_ms"])
