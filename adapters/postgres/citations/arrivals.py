"""Hits that came between two answers (docs/citations.md#why-a-number-has-changed)."""

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
        """Return how many hits, and measures of pageviews, came in between, by their origin."""
        values = {
            "site_id": site_id,
            "start": span.start,
            "end": span.end,
            "since": since,
            "until": until,
        }
        async with report_snapshot(self._connections) as connection:
            query = compose(
                "citations/arrivals/count",
                pageview_of_measure=compose("intake/measures/pageview_of_measure"),
            )
            cursor = await connection.execute(query, values)
            return {Origin(row["origin"]): row["count"] for row in await cursor.fetchall()}
