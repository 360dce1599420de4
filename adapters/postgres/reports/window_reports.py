"""Series that alerts need: first conversions and paints by the buckets of a period."""

from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.adapters.postgres.reports.stored_conversions import goal_states
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import rounded_up


@frozen
class PostgresWindowReports:
    """WindowReports over the read models and the log."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler

    async def first_conversions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[int]:
        """Return the sessions that converted for the first time, by bucket."""
        edges = _edges(query.period, size, zone)
        selection = SessionCondition(site_id, query)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            states = await goal_states(selected.connection, site_id, [goal])
            if states and (reason := states[0]["set_aside"]):
                raise GoalSetAside(reason)
            if not states or not states[0]["filled"]:
                raise StoreUnavailable("the past of the goal is still being counted")
            text = compose("reports/windows/first_conversions")
            if query.filters:
                text = compose(
                    "reports/windows/first_conversions_of_selected", conditions=selection.conditions
                )
            rows = await selected.rows(text, {"number": states[0]["number"], "edges": edges})
        counts = {row["piece"]: row["count"] for row in rows}
        return [counts.get(index, 0) for index in range(1, len(edges) + 1)]

    async def paints(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[float | None]:
        """Return the 75th percentile of the measures of LCP, by bucket."""
        edges = _edges(query.period, size, zone)
        selection = SessionCondition(site_id, query)
        async with selected_snapshot(self._connections, selection, self._compile_patterns) as selected:
            rows = await selected.rows(_paints(selection), {"edges": edges})
        paints = {row["piece"]: rounded_up(row["paint"]) for row in rows}
        return [paints.get(index) for index in range(1, len(edges) + 1)]


def _paints(selection: SessionCondition) -> sql.Composed:
    if not selection.query.filters:
        return compose("reports/windows/paints")
    return compose("reports/windows/paints_of_selected", conditions=selection.conditions)


def _edges(period: Period, size: BucketSize, zone: ZoneInfo) -> list[Any]:
    return [bucket.period.start for bucket in split_into_buckets(period, size, zone)]
