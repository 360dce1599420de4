"""Breakdowns and vitals: sums of days that have been counted; sessions and the log for all other times."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.breakdown_queries import (
    count_conversions,
    count_days,
    count_rows,
    pages,
    value_of,
    vitals_by_days,
    vitals_by_rows,
)
from footfall.adapters.postgres.reports.counted_days import CountedDays, counted_days
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.row_choice import choice_parameters
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.application.ports.reports.breakdowns import ONLINE, BreakdownPage, PagesPage, Realtime
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.filters import REFERRER_HOST, Filter
from footfall.domain.traffic.live import MINUTES, MOST, Live, LiveRow
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.web_vitals import METRICS, PageVitals, Percentiles, largest_of, rounded_up


@frozen
class PostgresBreakdowns:
    """BreakdownReports over the days that have been counted, sessions and the log."""

    _connections: ReportConnections

    async def break_down(
        self,
        site_id: int,
        by: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        visitors: bool = False,
        goal: GoalQuery | None = None,
        choice: RowChoice = EVERY_ROW,
    ) -> BreakdownPage:
        """Return a page of the values, the largest first."""
        if goal is not None:
            return await self._converted(Selection(site_id, period, filters), by, page, goal, choice)
        selection = Selection(site_id, period, filters)
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            asked = {**selection.parameters, **choice_parameters(choice), **_places(page)}
            known = await _counted(connection, selection, period, summed=not (filters or visitors))
            if known.days:
                rows = await _fetch(connection, count_days(by, choice), asked | known.parameters)
            else:
                await avoid_nested_loops(connection)
                rows = await _fetch(connection, count_rows(by, selection, choice, visitors=visitors), asked)
        values = [
            BreakdownRow(row["value"], row["count"], row.get("visitors"), rank=row["rank"])
            for row in rows
            if row["value"] is not None
        ]
        return BreakdownPage(values, rows[0]["values"], rows[0]["total"])

    async def _converted(
        self, selection: Selection, by: str, page: Page, goal: GoalQuery, choice: RowChoice
    ) -> BreakdownPage:
        async with selected_snapshot(self._connections, selection) as (connection, matched):
            parameters = {
                **matched.parameters,
                **selection.goal_parameters("goal", [goal]),
                **choice_parameters(choice),
                **_places(page),
            }
            await avoid_nested_loops(connection)
            async with pattern_limit(connection, [goal]):
                rows = await _fetch(connection, count_conversions(by, selection, choice), parameters)
        values = [
            BreakdownRow(
                row["value"],
                row["count"],
                row["visitors"],
                Conversions(row["conversions"], row["sessions"]),
                row["rank"],
            )
            for row in rows
            if row["value"] is not None
        ]
        return BreakdownPage(values, rows[0]["values"], rows[0]["total"])

    async def pages(
        self,
        site_id: int,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> PagesPage:
        """Return a page of the pages, the most viewed first."""
        selection = Selection(site_id, period, filters)
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            asked = {**selection.parameters, **choice_parameters(choice), **_places(page)}
            await avoid_nested_loops(connection)
            rows = await _fetch(connection, pages(selection, choice), asked)
        found = [_page(row) for row in rows if row["value"] is not None]
        return PagesPage(found, rows[0]["values"], rows[0]["total"])

    async def web_vitals(
        self,
        site_id: int,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""
        selection = Selection(site_id, period, filters)
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            asked = {**selection.parameters, **choice_parameters(choice), **_places(page)}
            known = await _counted(connection, selection, period, summed=not filters)
            if known.days:
                vitals = _summed(await _fetch(connection, vitals_by_days(choice), asked | known.parameters))
            else:
                await avoid_nested_loops(connection)
                found = await _fetch(connection, vitals_by_rows(selection, choice), asked)
                vitals = [_vitals(row) for row in found]
        return sorted(vitals, key=lambda one: (one.pathname is not None, -one.samples, one.pathname))

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return the visitors and pageviews of the last five minutes."""
        parameters = {"site_id": site_id, "after": now - ONLINE, "now": now}
        async with self._connections.connection() as connection:
            row = await (await connection.execute(compose("reports/traffic/realtime"), parameters)).fetchone()
        return Realtime(**row) if row else Realtime()

    async def live(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Live:
        """Return the traffic of the last 30 minutes."""
        selection = Selection(site_id, period, filters)
        name = "live_of_selected" if filters else "live"
        query = compose(
            f"reports/traffic/{name}", host=value_of(REFERRER_HOST), conditions=selection.conditions
        )
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            return _live(await _fetch(connection, query, {**selection.parameters, "most": MOST}))

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return the time of the latest hit."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("reports/traffic/latest_hit"), {"site_id": site_id})
            row = await cursor.fetchone()
        return row["occurred_at"] if row else None


def _page(row: DictRow) -> PageTraffic:
    return PageTraffic(
        pathname=row["value"],
        pageviews=row["count"],
        visitors=row["visitors"],
        entries=row["entries"],
        bounces=row["bounces"],
        timed=row["timed"],
        time=timedelta(microseconds=row["microseconds"]),
    )


def _live(rows: Iterable[DictRow]) -> Live:
    parts: dict[str, dict[str, int]] = {}
    for row in rows:
        parts.setdefault(row["part"], {})[row["value"]] = row["visitors"]
    minutes = parts.get("minutes", {})
    return Live(
        visitors=parts["visitors"][""],
        pageviews=parts["pageviews"][""],
        minutes=tuple(minutes.get(str(minute), 0) for minute in range(MINUTES)),
        **{
            name: [
                LiveRow(*pair)
                for pair in sorted(parts.get(name, {}).items(), key=lambda pair: (-pair[1], pair[0]))
            ]
            for name in ("pages", "sources", "countries")
        },
    )


def _places(page: Page) -> dict[str, int]:
    return {"limit": page.size, "offset": page.offset}


async def _counted(
    connection: AsyncConnection[DictRow], selection: Selection, period: Period, *, summed: bool
) -> CountedDays:
    """Return the days whose sums are part of the answer: none when filters select some of the sessions."""
    if not summed:
        return CountedDays(period, [])
    return await counted_days(connection, selection.parameters["site_id"], period)


async def _fetch(
    connection: AsyncConnection[DictRow], query: sql.Composed, parameters: Mapping[str, Any]
) -> list[DictRow]:
    return await (await connection.execute(query, parameters)).fetchall()


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
