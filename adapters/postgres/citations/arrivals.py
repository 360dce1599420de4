"""Hits that came between two answers (docs/read/programs/citations.md#why-a-number-has-changed)."""

from typing import Any

from attrs import frozen

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.citations.changes import Origin
from footfall.domain.periods.period import Period


@frozen
class PostgresArrivals:
    """ArrivalReports over the traffic log."""

    _connections: ReportConnections

    async def count(self, site_id: int, span: Period, *, since: int, until: int) -> dict[Origin, int]:
        """Return how many hits came in between, by their origin."""
        async with report_snapshot(self._connections) as connection:
            query, values = compose("citations/past/count"), _values(site_id, span, since, until)
            return {
                Origin(row["origin"]): row["count"]
                for row in await connection.rows(query, prepare=False, **values)
            }

    async def count_measures(self, site_id: int, span: Period, *, since: int, until: int) -> int:
        """Return how often something was reported in between of pageviews in the span."""
        query = compose("citations/past/count_measures")
        async with report_snapshot(self._connections) as connection:
            values = _values(site_id, span, since, until)
            return int(await connection.value(query, prepare=False, **values))


def _values(site_id: int, span: Period, since: int, until: int) -> dict[str, Any]:
    return {"site_id": site_id, "start": span.start, "end": span.end, "since": since, "until": until}
