"""Measures of pages as rows of the table `engagement`: lines for COPY on the way in, columns on the way out."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from attrs import fields, frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.domain.tracking.engagement import (
    EngagementReport,
    Measure,
    NamelessPages,
    RecordedMeasure,
    added_up,
)

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
    ) -> int | None:
        """Return the key of the newest pageview of a page that was received from `since` to `now`."""
        latest, before = pages.latest_first(since, now)
        values = {
            "site_id": site_id,
            "since": since,
            "now": now,
            "first": latest.start,
            "last": latest.stop - 1,
            "first_before": before.start,
            "last_before": before.stop - 1,
        }
        key: int | None = await self._connections.value("intake/measures/newest_pageview", **values)
        return key


async def totals(connection: StoreConnection, measures: Sequence[Measure]) -> list[Measure]:
    """Return measures with the totals of their reports.

    Other transactions that store reports of the same pageviews wait until this one ends.
    """
    keys = sorted({measure.pageview_key for measure in measures if isinstance(measure, EngagementReport)})
    if not keys:
        return list(measures)
    await connection.run("intake/measures/lock_pageviews", keys=keys)
    sites = sorted({measure.site_id for measure in measures})
    times = {
        (row["site_id"], row["pageview_key"]): row["engaged_ms"]
        for row in await connection.rows("intake/measures/reported_times", sites=sites, keys=keys)
    }
    return list(added_up(measures, times))
