"""Sessions one by one, by the indexes of their times and their visitors, and the hits of one."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.domain.tracking.hit import Engagement
from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SessionsQuery
from footfall.domain.visits.trail import Step, Trail, TrailPart

_FOLDER = "reports/sessions"


@frozen
class PostgresStoredSessions:
    """StoredSessions over the table of sessions and the log."""

    _connections: ReportConnections

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return the sessions of a list without filters."""
        after = query.after
        parameters = {
            "site_id": site_id,
            "start": query.period.start,
            "end": query.period.end,
            "visitor": query.visitor,
            "after_start": after and after.start,
            "after_id": after and after.session_id,
            "most": query.most,
        }
        name = "listed" if query.visitor is None else "listed_of_visitor"
        rows = await self._rows(compose(f"{_FOLDER}/{name}"), parameters)
        return [session_of(row) for row in rows]

    async def named(self, site_id: int, session_ids: Sequence[int]) -> list[Session]:
        """Return some sessions of the site, in this order."""
        parameters = {"site_id": site_id, "session_ids": list(session_ids)}
        rows = await self._rows(statement(f"{_FOLDER}/named"), parameters)
        sessions = {row["session_id"]: session_of(row) for row in rows}
        return [sessions[session_id] for session_id in session_ids if session_id in sessions]

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return the session that holds a hit."""
        rows = await self._rows(
            statement(f"{_FOLDER}/session_with"), {"site_id": site_id, "position": position}
        )
        return next((session_of(row) for row in rows), None)

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return a part of the trail of a session."""
        until, position = part.until or (None, None)
        parameters = {
            "site_id": site_id,
            "session_id": session_id,
            "until": until,
            "position": position,
            "skipped": part.skipped,
            "most": part.most,
        }
        async with report_snapshot(self._connections) as connection:
            parameters["measured_up_to"] = connection.measured_up_to
            rows = await connection.rows(compose(f"{_FOLDER}/trail"), prepare=False, **parameters)
        steps = [_step(row) for row in rows if row["position"] is not None]
        return Trail(steps, rows[0]["total"] if rows else 0)

    async def _rows(self, query: bytes | sql.Composed, parameters: dict[str, Any]) -> list[DictRow]:
        async with report_snapshot(self._connections) as connection:
            return await connection.rows(query, prepare=False, **parameters)


def _step(row: DictRow) -> Step:
    recorded = evolve(recorded_hit(row), engagement=engagement_of(row))
    return Step(recorded, row["since_last"])


def engagement_of(row: DictRow) -> Engagement | None:
    """Return what was reported of the page of a hit, of which each measure has one of both numbers at least."""
    engaged_ms, scroll_percent = row["engaged_ms"], row["scroll_percent"]
    return None if engaged_ms is scroll_percent is None else Engagement(engaged_ms, scroll_percent)
