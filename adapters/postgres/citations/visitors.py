"""Distinct visitors of the past: those of the present, corrected by the visitors whose sessions have changed.

All other visitors have the sessions that they had, so that counted days answer for them, also days that have changed.
"""

from collections.abc import Mapping, Sequence

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.citations.overlay import PastConnection
from footfall.adapters.postgres.citations.replay import Replayed
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.adapters.postgres.reports.traffic_reports import PostgresTrafficReports
from footfall.adapters.postgres.reports.visitors.counts import LOOKUP_COST, count_visitors
from footfall.domain.periods.period import Period


def past_traffic(connections: ReportConnections) -> PostgresTrafficReports:
    """Return TrafficReports over a snapshot of the past."""
    return PostgresTrafficReports(connections, log="earlier_hit", count_visitors=count_past_visitors)


async def count_past_visitors(
    connection: AsyncConnection[DictRow],
    site_id: int,
    pieces: Sequence[Period],
    sessions: Sequence[int],
    *,
    lookup_cost: int = LOOKUP_COST,
) -> Mapping[int, int]:
    """Return the different visitors of pieces, as `count_visitors` does.

    To look up the visitor of a changed session costs so many times as much as to count one more session.
    """
    # Only this connection reads the past.
    assert isinstance(connection, PastConnection)  # noqa: S101 - see above
    replayed = connection.replayed
    if replayed is None or replayed.sessions * lookup_cost > sum(sessions):
        return await count_visitors(connection, site_id, pieces, sessions)
    known = _before_later_hits(pieces, replayed)
    with connection.at_present():
        found = await count_visitors(connection, site_id, known, sessions)
        more = await _more_visitors(connection, site_id, known)
    return {piece: visitors + more.get(piece, 0) for piece, visitors in found.items()}


def _before_later_hits(pieces: Sequence[Period], replayed: Replayed) -> list[Period]:
    """Return the pieces without the stretch in which all hits are later."""
    end = replayed.later_since
    return [Period(piece.start, min(piece.end, end)) for piece in pieces if piece.start < end]


async def _more_visitors(
    connection: PastConnection, site_id: int, pieces: Sequence[Period]
) -> Mapping[int, int]:
    """Return by how many visitors pieces differ from the present."""
    if not pieces:
        return {}
    edges = [*(piece.start for piece in pieces), pieces[-1].end]
    values = {"site_id": site_id, "edges": edges, "start": edges[0], "end": edges[-1], "pieces": len(pieces)}
    cursor = await connection.execute(statement("citations/past/more_visitors"), values)
    return {row["piece"]: row["visitors"] for row in await cursor.fetchall()}
