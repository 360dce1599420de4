"""Traffic, from buckets where they suffice, from sessions and the log where filters or short buckets ask for more."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.report_selection import PROJECTED, SESSION_OF_HIT, Selection
from footfall.adapters.postgres.reporting import BY_ROWS, on_quarter, reporting
from footfall.adapters.postgres.statements import statement
from footfall.adapters.postgres.visitor_counts import count_visitors
from footfall.domain.bucket import BucketSize, cut
from footfall.domain.filter import Filter
from footfall.domain.period import Period
from footfall.domain.session import INACTIVITY
from footfall.domain.traffic import Traffic, TrafficPoint

# A session that lies in one piece is counted there as a whole; in which ones another has hits, only the log knows.
_BY_SESSIONS = f"""
    , placed as (
        select
            session_id, site_id, visitor_id, started_at, ended_at, pageviews, custom_events,
            case
                when pageviews = 1 and custom_events + performance_measures + outbound_clicks + errors = 0 then 1
                else 0
            end as bounce,
            floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
            width_bucket(started_at, %(edges)s::timestamptz[]) as first_piece,
            width_bucket(ended_at, %(edges)s::timestamptz[]) as last_piece
        from selected
    ),
    part as (
        select first_piece as piece, visitor_id, pageviews, custom_events, bounce, seconds
        from placed
        where first_piece = last_piece
        union all
        select
            width_bucket(hit.occurred_at, %(edges)s::timestamptz[]), min(placed.visitor_id),
            count(*) filter (where hit.type = 'pageview'), count(*) filter (where hit.type = 'custom_event'),
            min(bounce), min(seconds)
        from placed
        join hit on hit.site_id = placed.site_id and hit.visitor_id = placed.visitor_id
            and hit.occurred_at >= placed.started_at and hit.occurred_at <= placed.ended_at
        {SESSION_OF_HIT}
        where first_piece <> last_piece
            and its.session_id = placed.session_id
            and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {PROJECTED}
        group by 1, placed.session_id
    )
    select
        piece, count(*) as sessions, count(distinct visitor_id) as visitors, sum(pageviews)::bigint as pageviews,
        sum(custom_events)::bigint as events, sum(bounce)::bigint as bounces, sum(seconds)::bigint as seconds
    from part
    group by piece
"""


class PostgresTrafficReports:
    """TrafficReports over the read models, and over the log for what they do not hold."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def data_since(self, site_id: int) -> datetime | None:
        """Return from when on there are hits, not counting the sessions that retention left because they go on."""
        async with reporting(self._connections) as connection:
            cursor = await connection.execute(statement("report/data_since"), {"site_id": site_id})
            row = await cursor.fetchone()
        return None if row is None else row["since"]

    async def overview(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Traffic:
        """Return the traffic of the period."""
        [traffic] = await self._traffic(site_id, period, [period], filters)
        return traffic

    async def timeseries(
        self,
        site_id: int,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        filters: Sequence[Filter] = (),
    ) -> list[TrafficPoint]:
        """Return the traffic of each bucket of the period, ascending."""
        buckets = cut(period, size, zone)
        pieces = [bucket.period for bucket in buckets]
        traffic = await self._traffic(site_id, period, pieces, filters)
        return [TrafficPoint(bucket.time, one) for bucket, one in zip(buckets, traffic, strict=True)]

    async def _traffic(
        self, site_id: int, period: Period, pieces: Sequence[Period], filters: Sequence[Filter]
    ) -> list[Traffic]:
        selection = Selection(site_id, period, filters)
        parameters: dict[str, Any] = {**selection.parameters, **_cuts(pieces)}
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            if not filters and _buckets_suffice(pieces):
                return await _sums(connection, parameters, pieces)
            await connection.execute(BY_ROWS)
            query = f"with {selection.expression} {_BY_SESSIONS}".encode()
            rows = await (await connection.execute(query, parameters)).fetchall()
        found = {row.pop("piece"): Traffic(**row) for row in rows}
        return [found.get(index, Traffic()) for index in range(1, len(pieces) + 1)]


async def _sums(
    connection: AsyncConnection[DictRow], parameters: Mapping[str, Any], pieces: Sequence[Period]
) -> list[Traffic]:
    """Return the traffic of pieces for which sums of quarters of an hour are exact."""
    cursor = await connection.execute(statement("report/traffic_by_buckets"), parameters)
    rows = {row.pop("piece"): row for row in await cursor.fetchall()}
    sessions = [rows[index]["sessions"] for index in range(1, len(pieces) + 1)]
    visitors = await count_visitors(connection, parameters["site_id"], pieces, sessions)
    return [Traffic(visitors=visitors.get(index, 0), **row) for index, row in rows.items()]


def _cuts(pieces: Sequence[Period]) -> dict[str, Any]:
    edges: list[datetime] = [piece.start for piece in pieces]
    edges += [piece.end for piece in pieces[-1:]]
    return {"edges": edges, "pieces": len(pieces)}


def _buckets_suffice(pieces: Sequence[Period]) -> bool:
    """Whether sums of quarters of an hour are exact.

    A session that reaches over a piece of 30 minutes or more surely has hits in it.
    """
    return all(
        piece.length >= INACTIVITY and on_quarter(piece.start) and on_quarter(piece.end) for piece in pieces
    )
