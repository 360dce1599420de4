"""What the log and sessions one by one tell about a change."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import MOST_AHEAD, MOST_BEHIND
from footfall.domain.traffic.refusals import Refusals, RefusedHits
from footfall.domain.traffic.session import Session

_FOLDER = "reports/what_if"
_NONE = RefusedHits(0, 0)


@frozen
class PostgresStoredVisits:
    """StoredVisits over sessions and the log."""

    _connections: ReportConnections

    async def refused(
        self, site_id: int, countries: Sequence[str], period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused."""
        parameters = {
            "site_id": site_id,
            "countries": list(countries),
            "start": period.start,
            "end": period.end,
            "earliest": period.start - MOST_BEHIND,
            "latest": period.end + MOST_AHEAD,
            "starts": [day.start for day in days],
        }
        query = compose(f"{_FOLDER}/refused")
        async with report_snapshot(self._connections) as connection:
            await avoid_nested_loops(connection)
            rows = await (await connection.execute(query, parameters, prepare=False)).fetchall()
        pieces = {row["piece"]: RefusedHits(row["hits"], row["sessions"]) for row in rows}
        return Refusals(pieces[0], tuple(pieces.get(piece, _NONE) for piece in range(1, len(days) + 1)))

    async def sessions(self, site_id: int, session_ids: Sequence[int]) -> list[Session]:
        """Return some sessions of the site, in this order."""
        parameters = {"site_id": site_id, "session_ids": list(session_ids)}
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(statement(f"{_FOLDER}/sessions"), parameters)
            sessions = {row["session_id"]: session_of(row) for row in await cursor.fetchall()}
        return [sessions[session_id] for session_id in session_ids if session_id in sessions]
