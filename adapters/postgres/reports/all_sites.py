"""Since when there is data of a site, and reports on many sites."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import field, frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.periods.period import Period
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.online.recent_visitors import RecentDays, RecentVisitors
from footfall.domain.traffic.report_query import ReportQuery

LOG = "hit"


@frozen
class PostgresDataSince:
    """DataSince over the log."""

    _connections: ReportConnections
    # The past has the hits around the period that it is asked about in `hit`, and all of them in a table of its own.
    _log: str = field(default=LOG, kw_only=True)

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` of all hits of the site."""
        query = compose("reports/traffic/data_since", log=compose(f"reports/traffic/log_of_{self._log}"))
        async with report_snapshot(self._connections) as connection:
            row = await connection.row(query, site_id=site_id)
        return None if row is None else row["since"]

    async def imported(self, site_id: int) -> list[Period]:
        """Return `imported` of each import."""
        query = compose("reports/traffic/imported", log=compose(f"reports/traffic/log_of_{self._log}"))
        async with report_snapshot(self._connections) as connection:
            rows = await connection.rows(query, site_id=site_id)
        return [Period(row["start"], row["end"]) for row in rows]


@frozen
class PostgresAllSites:
    """AllSitesReports over the read models."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler

    async def recent_visitors(
        self, site_ids: Sequence[int], days: RecentDays
    ) -> Mapping[int, RecentVisitors]:
        """Return the visitors of each site."""
        parameters = {
            "site_ids": list(site_ids),
            "start": days.before.start,
            "end": days.period.end,
            **_parts(days),
        }
        query = compose("reports/traffic/recent_visitors", placed=compose("reports/traffic/placed_of_sites"))
        async with report_snapshot(self._connections) as connection:
            rows = await connection.rows(query, prepare=False, **parameters)
        return dict.fromkeys(site_ids, _none(days)) | {row["site_id"]: _visitors(row, days) for row in rows}

    async def selected_visitors(
        self, site_id: int, days: RecentDays, filters: Sequence[Filter]
    ) -> RecentVisitors:
        """Return the visitors of a site in the sessions that filters select."""
        span = Period(days.before.start, days.period.end)
        selection = SessionCondition(site_id, ReportQuery(span, filters))
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            placed = compose("reports/traffic/placed_of_selected", conditions=selection.conditions)
            query = compose("reports/traffic/recent_visitors", placed=placed)
            rows = await selected.rows(query, _parts(days))
        return _visitors(rows[0], days) if rows else _none(days)

    async def with_hits(self, periods: Mapping[int, Period]) -> frozenset[int]:
        """Return the sites with hits in their periods."""
        parameters = {
            "sites": list(periods),
            "starts": [period.start for period in periods.values()],
            "ends": [period.end for period in periods.values()],
        }
        async with report_snapshot(self._connections) as connection:
            return frozenset(
                row["site_id"]
                for row in await connection.rows("reports/traffic/with_hits", prepare=False, **parameters)
            )


def _parts(days: RecentDays) -> dict[str, Any]:
    return {"step": days.step.total_seconds(), "count": days.count}


def _visitors(row: DictRow, days: RecentDays) -> RecentVisitors:
    parts = tuple((row["parts"] or {}).get(str(number), 0) for number in range(days.count))
    return RecentVisitors(visitors=row["visitors"], before=row["before"], parts=parts)


def _none(days: RecentDays) -> RecentVisitors:
    return RecentVisitors(parts=(0,) * days.count)
