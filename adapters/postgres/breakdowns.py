"""Breakdowns and vitals: sums of days that have been counted; sessions and the log for all that was not."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.counted_days import CountedDays, counted_days
from footfall.adapters.postgres.report_selection import Selection
from footfall.adapters.postgres.reporting import BY_ROWS, reporting
from footfall.adapters.postgres.share_queries import by_days, by_rows
from footfall.adapters.postgres.statements import statement
from footfall.adapters.postgres.vitals_queries import BY_DAYS, vitals_by_rows
from footfall.application.breakdowns import ONLINE, Realtime, SharePage
from footfall.domain.breakdown import Share
from footfall.domain.filter import Filter
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.vitals import METRICS, PageVitals, Percentiles, largest_of, rounded_up


class PostgresBreakdowns:
    """BreakdownReports over the days that have been counted, sessions and the log."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def break_down(
        self,
        site_id: int,
        by: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        visitors: bool = False,
    ) -> SharePage:
        """Return a page of the values, the largest first."""
        selection = Selection(site_id, period, filters)
        asked = {**selection.parameters, "limit": page.size, "offset": page.offset}
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            known = await _counted(connection, selection, period, summed=not (filters or visitors))
            if known.days:
                rows = await _fetch(connection, by_days(by), asked | known.parameters)
            else:
                query = by_rows(by, filtered=bool(filters), visitors=visitors)
                rows = await _fetch_rows(connection, selection, query, asked)
        shares = [
            Share(row["value"], row["count"], row.get("visitors")) for row in rows if row["value"] is not None
        ]
        return SharePage(shares, rows[0]["values"], rows[0]["total"])

    async def web_vitals(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""
        selection = Selection(site_id, period, filters)
        asked = {**selection.parameters, "limit": page.size, "offset": page.offset}
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            known = await _counted(connection, selection, period, summed=not filters)
            if known.days:
                vitals = _summed(await _fetch(connection, BY_DAYS, asked | known.parameters))
            else:
                query = vitals_by_rows(filtered=bool(filters))
                found = await _fetch_rows(connection, selection, query, asked)
                vitals = [_vitals(row) for row in found]
        return sorted(vitals, key=lambda one: (one.pathname is not None, -one.samples, one.pathname))

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return who was there in the last five minutes."""
        parameters = {"site_id": site_id, "after": now - ONLINE, "now": now}
        async with self._connections.connection() as connection:
            row = await (await connection.execute(statement("report/realtime"), parameters)).fetchone()
        return Realtime(**row) if row else Realtime()

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return when the latest hit happened."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("report/latest_hit"), {"site_id": site_id})
            row = await cursor.fetchone()
        return row["occurred_at"] if row else None


async def _counted(
    connection: AsyncConnection[DictRow], selection: Selection, period: Period, *, summed: bool
) -> CountedDays:
    """Return the days whose sums can be part of the answer: none of them when the question is about some sessions."""
    if not summed:
        return CountedDays(period, [])
    return await counted_days(connection, selection.parameters["site_id"], period)


async def _fetch_rows(
    connection: AsyncConnection[DictRow], selection: Selection, query: str, parameters: Mapping[str, Any]
) -> list[DictRow]:
    await connection.execute(BY_ROWS)
    # Asked once, the sessions are read in place: whole rows of them need not be put aside.
    return await _fetch(connection, f"with selected as ({selection.sessions}), {query}", parameters)


async def _fetch(
    connection: AsyncConnection[DictRow], query: str, parameters: Mapping[str, Any]
) -> list[DictRow]:
    return await (await connection.execute(query.encode(), parameters)).fetchall()


def _vitals(row: DictRow) -> PageVitals:
    metrics = {
        name: Percentiles(*map(rounded_up, row[name]))
        for name in METRICS
        if row[name] and row[name][0] is not None
    }
    return PageVitals(row["pathname"], row["samples"], metrics)


def _summed(rows: Iterable[DictRow]) -> list[PageVitals]:
    samples: dict[str | None, int] = {}
    metrics: dict[str | None, dict[str, Percentiles]] = {}
    for row in rows:
        samples[row["pathname"]] = row["samples"]
        found = metrics.setdefault(row["pathname"], {})
        if row["metric"] is not None:
            parts = (largest_of(row[name]) for name in ("p50", "p75", "p90"))
            found[METRICS[row["metric"]]] = Percentiles(*parts)
    return [PageVitals(pathname, count, metrics[pathname]) for pathname, count in samples.items()]
