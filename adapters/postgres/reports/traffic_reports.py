"""Reports on traffic: from buckets; from sessions and the log with filters, or for pieces that cut a quarter."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from attrs import asdict, field, frozen
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.adapters.postgres.reports.visitors.counts import CountVisitors, count_visitors
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import on_quarter, quarter_of
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.recent_visitors import RecentDays, RecentVisitors
from footfall.domain.traffic.session import INACTIVITY


@frozen
class PostgresTrafficReports:
    """TrafficReports over the read models, and over the log for hits inside of sessions."""

    _connections: ReportConnections
    # The past has the hits around the period that it is asked about in `hit`, and all of them in a table of its own.
    _log: str = field(default="hit", kw_only=True)
    _count_visitors: CountVisitors = field(default=count_visitors, kw_only=True)

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` of all hits of the site."""
        query = compose("reports/traffic/data_since", log=sql.Identifier(self._log))
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(query, {"site_id": site_id})
            row = await cursor.fetchone()
        return None if row is None else row["since"]

    async def overview(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Traffic:
        """Return the traffic of the period."""
        whole = Period(period.start, max(period.start, quarter_of(period.end)))
        if not filters and whole != period and _buckets_suffice([whole]):
            return await self._with_rest(site_id, whole, period)
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
        buckets = split_into_buckets(period, size, zone)
        pieces = [bucket.period for bucket in buckets]
        traffic = await self._traffic(site_id, period, pieces, filters)
        return [TrafficPoint(bucket.time, one) for bucket, one in zip(buckets, traffic, strict=True)]

    async def _traffic(
        self, site_id: int, period: Period, pieces: Sequence[Period], filters: Sequence[Filter]
    ) -> list[Traffic]:
        selection = Selection(site_id, period, filters)
        async with selected_snapshot(self._connections, selection) as (connection, selection):
            parameters: dict[str, Any] = {**selection.parameters, **_cuts(pieces)}
            if not filters and _buckets_suffice(pieces):
                return await self._sums(connection, parameters, pieces)
            await avoid_nested_loops(connection)
            query = compose("reports/traffic/traffic_by_sessions", conditions=selection.conditions)
            rows = await (await connection.execute(query, parameters)).fetchall()
        found = {row.pop("piece"): Traffic(**row) for row in rows}
        return [found.get(index, Traffic()) for index in range(1, len(pieces) + 1)]

    async def _with_rest(self, site_id: int, whole: Period, period: Period) -> Traffic:
        """Return the traffic of a period that ends within a quarter of an hour, as what is compared up to now does."""
        values = {**Selection(site_id, whole, ()).parameters, **_cuts([whole])}
        places = {**Selection(site_id, period, ()).places, "inner_end": whole.end}
        async with report_snapshot(self._connections) as connection:
            [sums] = await self._sums(connection, values, [whole])
            cursor = await connection.execute(compose("reports/traffic/rest_of_quarter"), places)
            [rest] = await cursor.fetchall()
        return Traffic(**{name: number + rest[name] for name, number in asdict(sums).items()})

    async def _sums(
        self, connection: AsyncConnection[DictRow], parameters: Mapping[str, Any], pieces: Sequence[Period]
    ) -> list[Traffic]:
        """Return the traffic of pieces for which sums of quarters of an hour are exact."""
        cursor = await connection.execute(statement("reports/traffic/traffic_by_buckets"), parameters)
        rows = {row.pop("piece"): row for row in await cursor.fetchall()}
        sessions = [rows[index]["sessions"] for index in range(1, len(pieces) + 1)]
        visitors = await self._count_visitors(connection, parameters["site_id"], pieces, sessions)
        return [Traffic(visitors=visitors.get(index, 0), **row) for index, row in rows.items()]


@frozen
class PostgresAllSites:
    """AllSitesReports over the read models."""

    _connections: ReportConnections

    async def recent_visitors(
        self, site_ids: Sequence[int], days: RecentDays
    ) -> Mapping[int, RecentVisitors]:
        """Return the visitors of each site."""
        parameters = {
            "site_ids": list(site_ids),
            "start": days.before.start,
            "end": days.period.end,
            "step": days.step.total_seconds(),
        }
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(recent_visitors_of(days), parameters)
            rows = await cursor.fetchall()
        return dict.fromkeys(site_ids, RecentVisitors(parts=(0,) * days.count)) | {
            row["site_id"]: RecentVisitors(
                visitors=row["visitors"], before=row["before"], parts=tuple(row["parts"])
            )
            for row in rows
        }

    async def with_hits(self, periods: Mapping[int, Period]) -> frozenset[int]:
        """Return the sites with hits in their periods."""
        parameters = {
            "sites": list(periods),
            "starts": [one.start for one in periods.values()],
            "ends": [one.end for one in periods.values()],
        }
        async with report_snapshot(self._connections) as connection:
            cursor = await connection.execute(statement("reports/traffic/with_hits"), parameters)
            return frozenset(row["site_id"] for row in await cursor.fetchall())


def _cuts(pieces: Sequence[Period]) -> dict[str, Any]:
    edges: list[datetime] = [piece.start for piece in pieces]
    edges += [piece.end for piece in pieces[-1:]]
    return {"edges": edges, "pieces": len(pieces)}


def _buckets_suffice(pieces: Sequence[Period]) -> bool:
    """Whether sums of quarters of an hour are exact.

    A session that spans a piece of 30 minutes or more has hits in it.
    """
    return all(
        piece.length >= INACTIVITY and on_quarter(piece.start) and on_quarter(piece.end) for piece in pieces
    )


def recent_visitors_of(days: RecentDays) -> sql.Composed:
    """Return the statement that counts the visitors of sites in the parts of some days, and before them."""
    bits = (sql.Literal(1 << number) for number in range(days.count))
    parts = [compose("reports/traffic/recent_visitors_of_part", bit=bit) for bit in bits]
    return compose(
        "reports/traffic/recent_visitors",
        parts=sql.SQL(", ").join(parts),
        count=sql.Literal(days.count),
        last=sql.Literal(2 * days.count - 1),
    )
