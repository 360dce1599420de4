"""Reports on what happens now."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.application.ports.reports.breakdowns import ONLINE, Realtime
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.online.live import MINUTES, MOST, Live, LiveRow
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class PostgresLiveReports:
    """LiveReports over sessions and the log."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return the visitors and pageviews of the last five minutes."""
        parameters = {"site_id": site_id, "after": now - ONLINE, "now": now}
        async with self._connections.connection() as connection:
            row = await connection.row(compose("reports/traffic/realtime"), **parameters)
        return Realtime(**row) if row else Realtime()

    async def live(self, site_id: int, query: ReportQuery) -> Live:
        """Return the traffic of the last 30 minutes."""
        selection = SessionCondition(site_id, query)
        name = "live_of_selected" if query.filters else "live"
        text = compose(f"reports/traffic/{name}", conditions=selection.conditions)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            return _live(
                await _fetch(selected.connection, text, {**selected.condition.parameters, "most": MOST})
            )

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return the time of the latest hit."""
        async with self._connections.connection() as connection:
            row = await connection.row("reports/traffic/latest_hit", site_id=site_id)
        return row["occurred_at"] if row else None


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


async def _fetch(
    connection: StoreConnection, query: sql.Composed, parameters: Mapping[str, Any]
) -> list[DictRow]:
    return await connection.rows(query, prepare=False, **parameters)
