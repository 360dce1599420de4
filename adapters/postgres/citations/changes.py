"""First hits of figures, from the log and the sessions of its hits."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.goal_reports import rules_of
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.citations.changes import Figure, FirstHits, Origin
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period

_FOLDER = "reports/changes"


@frozen
class PostgresChanges:
    """ChangeReports over the traffic log."""

    _connections: ReportConnections

    async def first_hits(
        self, site_id: int, period: Period, rules: Sequence[GoalQuery], cuts: Sequence[int]
    ) -> list[FirstHits]:
        """Return the first hits of the figures, and of the conversions by the rules."""
        values = {
            "site_id": site_id,
            "start": period.start,
            "end": period.end,
            "since": cuts[0],
            "until": cuts[-1],
            "cuts": list(cuts),
        }
        async with report_snapshot(self._connections) as connection:
            await avoid_nested_loops(connection)
            cursor = await connection.execute(compose(f"{_FOLDER}/first_hits"), values)
            found = [
                FirstHits(Figure(row["figure"]), None, row["stretch"], Origin(row["origin"]), row["count"])
                for row in await cursor.fetchall()
            ]
            if rules:
                inside = compose(f"{_FOLDER}/inside")
                query = compose(f"{_FOLDER}/first_conversions", inside=inside)
                async with pattern_limit(connection, rules, has_regex=False):
                    cursor = await connection.execute(query, {**values, **rules_of(rules)})
                    rows = await cursor.fetchall()
                found += [
                    FirstHits(
                        Figure.CONVERSIONS, row["index"], row["stretch"], Origin(row["origin"]), row["count"]
                    )
                    for row in rows
                ]
        return found
