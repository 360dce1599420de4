"""The hits of single persons, read piece by piece without a transaction that lasts."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from attrs import evolve, frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.intake.hit_rows import recorded_hit
from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.adapters.postgres.reports.stored_sessions import engagement_of
from footfall.application.ports.visitor_data import OwnPiece, UserDay
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.visits.subject import Subject

_FOLDER = "visitors/own"
# Sessions of a stretch of time are held together, and hits of one session: an error has up to 64 KiB.
STRETCH = timedelta(days=7)
HITS = 500


@frozen
class OwnSession:
    """A row of `session` that has hits of a person, and whether those without a user id are theirs."""

    row: DictRow
    takes_unnamed: bool
    is_shared: bool


@frozen
class PostgresVisitorData:
    """VisitorData over the log and the sessions."""

    _connections: Connections
    _stretch: timedelta = STRETCH
    _hits: int = HITS

    async def user_days(self, site_id: int) -> Sequence[UserDay]:
        """Return the days with hits that have user ids."""
        days = set[tuple[date, bool]]()
        async for within in self._stretches(site_id):
            days |= {
                (row["day"], row["is_imported"]) for row in await self._rows(f"{_FOLDER}/user_days", **within)
            }
        return [UserDay(day, is_imported) for day, is_imported in sorted(days)]

    async def archives(self, site_id: int) -> Sequence[str]:
        """Return the sites of archives, if a hit may have a hashed user id that no import made."""
        rows = await self._rows(f"{_FOLDER}/archives", site_id=site_id)
        if not rows:
            return []
        async for within in self._stretches(site_id):
            [row] = await self._rows(f"{_FOLDER}/has_hashes", **within)
            if row["found"]:
                return [row["source"] for row in rows]
        return []

    async def visitor_of(self, site_id: int, position: int) -> Subject | None:
        """Return the visitor of a visit."""
        query = compose(f"{_FOLDER}/users_of_visit", visit=compose("reports/sessions/session_with"))
        rows = await self._rows(query, site_id=site_id, position=position)
        if not rows:
            return None
        return Subject.of_visit(rows[0]["visitor_id"], [row["user_id"] for row in rows if row["user_id"]])

    async def own_pieces(self, site_id: int, subject: Subject) -> AsyncIterator[OwnPiece]:
        """Return the hits of a person by visits."""
        [row] = await self._rows(f"{_FOLDER}/projected")
        values = {**subject_values(site_id, subject), "projected": row["projected"]}
        async for own in own_sessions(self._rows, values, self._stretch):
            async for hits in self._own_hits(own, values):
                yield OwnPiece(session_of(own.row), own.is_shared, hits)

    async def _stretches(self, site_id: int) -> AsyncIterator[dict[str, Any]]:
        """Yield the stretches of time from the first hit of a site to its last one, as parameters.

        A statement over all hits of a site would take long, and hold its snapshot.
        """
        [bounds] = await self._rows(f"{_FOLDER}/first_and_last", site_id=site_id)
        since: datetime | None = bounds["start"]
        while since is not None and since <= bounds["end"]:
            yield {"site_id": site_id, "since": since, "until": since + self._stretch}
            since += self._stretch

    async def _own_hits(self, own: OwnSession, values: Mapping[str, Any]) -> AsyncIterator[list[RecordedHit]]:
        query = compose(f"{_FOLDER}/own_hits")
        of_session = {name: own.row[name] for name in ("visitor_id", "started_at", "ended_at")}
        after: dict[str, Any] = {"after_time": "-infinity", "after_position": 0}
        limits = {
            "takes_unnamed": own.takes_unnamed,
            "measured_up_to": values["projected"],
            "limit": self._hits,
        }
        while rows := await self._rows(query, **{**values, **of_session, **limits, **after}):
            yield [evolve(recorded_hit(row), engagement=engagement_of(row)) for row in rows]
            after = {"after_time": rows[-1]["occurred_at"], "after_position": rows[-1]["position"]}

    async def _rows(self, query: str | sql.Composed, **values: Any) -> list[DictRow]:
        async with self._connections.connection() as connection:
            return await connection.rows(query, prepare=False, **values)


def subject_values(site_id: int, subject: Subject) -> dict[str, Any]:
    """Return a person as parameters of the statements."""
    return {"site_id": site_id, "users": sorted(subject.users), "visitors": sorted(subject.visitors)}


async def own_sessions(
    rows: Callable[..., Awaitable[list[DictRow]]],
    values: Mapping[str, Any],
    stretch: timedelta = STRETCH,
) -> AsyncIterator[OwnSession]:
    """Return the sessions that have hits of a person, by their starts.

    `values` are those of the person, and how far the log is `projected`; `rows` runs a statement.
    """
    [bounds] = await rows(f"{_FOLDER}/bounds", **values)
    since: datetime | None = bounds["start"]
    while since is not None and since <= bounds["end"]:
        within = {**values, "since": since, "until": since + stretch}
        for row in await rows(f"{_FOLDER}/own_sessions", **within):
            yield OwnSession(row, row["takes_unnamed"], row["is_shared"])
        since += stretch
