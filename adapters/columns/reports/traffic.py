"""Reports on traffic by columns: overview and time series."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.columns.reports.engagement import sessions_with_engagement
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import Values
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.application.ports.reports.reports import DataSince
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import on_quarter
from footfall.domain.periods.unix_time import MICROSECOND, microseconds_of
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import LONGEST

_FEW_EDGES = 5
# One query for two periods takes three quarters of the time of two. It reads what lies between, too: at most this
# share of the periods.
_GAPS_SHARE = 0.25


@frozen
class ColumnTrafficReports:
    """TrafficReports from files and fresh rows."""

    _columns: Columns
    _data_since: DataSince

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` of all hits of the site."""
        return await self._data_since.data_since(site_id)

    async def imported(self, site_id: int) -> Sequence[Period]:
        """Return `imported` of each import."""
        return await self._data_since.imported(site_id)

    async def overview(self, site_id: int, query: ReportQuery) -> Traffic:
        """Return the traffic of the period."""
        [traffic] = await self._overviews(site_id, [query.period], query.filters)
        return traffic

    async def overviews(
        self, site_id: int, periods: Sequence[Period], filters: Sequence[Filter] = ()
    ) -> list[Traffic]:
        """Return the traffic of each period, of periods near to each other by one query."""
        pieces = _pieces_around(periods)
        if pieces is None:
            return [await self.overview(site_id, ReportQuery(period, filters)) for period in periods]
        of_piece = dict(zip(pieces, await self._overviews(site_id, pieces, filters), strict=True))
        return [of_piece[period] for period in periods]

    async def count_sessions(self, site_id: int, query: ReportQuery) -> int:
        """Return the number of the selected sessions."""

        async def by_columns(reading: Reading) -> int:
            statement = over(compose("traffic/count"), sessions=reading.selection.sessions)
            [(count,)] = await reading.query(statement)
            return int(count)

        return await self._columns.answer(site_id, query, by_columns)

    async def _overviews(
        self, site_id: int, pieces: Sequence[Period], filters: Sequence[Filter]
    ) -> list[Traffic]:
        span = Period(pieces[0].start, pieces[-1].end)
        return await self._columns.answer(
            site_id, ReportQuery(span, filters), lambda reading: _traffic(reading, pieces)
        )

    async def timeseries(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[TrafficPoint]:
        """Return the traffic of each bucket of the period, ascending."""
        buckets = split_into_buckets(query.period, size, zone)
        if not buckets:
            return []

        async def by_columns(reading: Reading) -> list[TrafficPoint]:
            traffic = await _traffic(reading, [bucket.period for bucket in buckets])
            return [
                TrafficPoint(bucket.time, figures) for bucket, figures in zip(buckets, traffic, strict=True)
            ]

        return await self._columns.answer(site_id, query, by_columns)


def _pieces_around(periods: Sequence[Period]) -> list[Period] | None:
    """Return the periods with what lies between, as pieces that follow each other.

    None where they overlap, or much lies between.
    """
    pieces: list[Period] = []
    gaps = timedelta()
    for period in sorted(periods, key=lambda period: period.start):
        if pieces and period.start != pieces[-1].end:
            gap = Period(pieces[-1].end, period.start)
            if gap.length < timedelta():
                return None
            pieces.append(gap)
            gaps += gap.length
        pieces.append(period)
    most = sum((period.length for period in periods), timedelta()) * _GAPS_SHARE
    return pieces if gaps <= most else None


async def _traffic(reading: Reading, pieces: Sequence[Period]) -> list[Traffic]:
    """Return the traffic of pieces that follow each other."""
    runs = runs_of(pieces, reading.selection.values)
    start, end = piece_of("started_at", runs), piece_of("ended_at", runs)
    valued = select("source", columns=f"*, {start} as piece_of_start, {end} as piece_of_end")
    query = over(
        compose("traffic/traffic"),
        sessions=over(valued, source=sessions_with_engagement(reading)),
        placed=Kept(compose("traffic/placed")),
        crossing=compose("traffic/crossing"),
        crossed=_crossed(pieces, runs, reading.selection.values),
    )
    counted = {row[0]: _total(row) for row in await reading.query(query)}
    return [counted.get(index, Traffic()) for index in range(len(pieces))]


def runs_of(pieces: Sequence[Period], values: Values) -> list[dict[str, str]]:
    """Return the runs of pieces of equal length, with the places of their values in the query.

    Days have one length but where a clock changes: a few divisions place an instant. Joins with the pieces, or with
    parts of them, take longer, and DuckDB 2.0.0 fails at them on files of several groups of rows.
    """
    runs = []
    for length, several in groupby(enumerate(pieces), key=lambda numbered: numbered[1].length):
        run = list(several)
        (first, begin), (_, end) = run[0], run[-1]
        places = {
            "first": first,
            "since": microseconds_of(begin.start),
            "until": microseconds_of(end.end),
            "length": length // MICROSECOND,
        }
        runs.append({name: values.add(value) for name, value in places.items()})
    return runs


def piece_of(column: str, runs: Sequence[Mapping[str, str]]) -> str:
    """Return the expression of the piece that an instant of the period lies in."""
    at = f"epoch_us({column})"
    branches = [
        f"when {at} < {run['until']} then {run['first']} + ({at} - {run['since']}) // {run['length']}"
        for run in runs
    ]
    return f"(case {' '.join(branches)} end)"


def _crossed(pieces: Sequence[Period], runs: Sequence[Mapping[str, str]], values: Values) -> str:
    """Return the query of the pieces of sessions in several: by their quarters where all edges are such."""
    edges = [pieces[0].start, *(piece.end for piece in pieces)]
    valued = select("source", columns=f"""*, {piece_of('"at"', runs)} as piece""")
    if all(map(on_quarter, edges)):
        return over(valued, source=compose("traffic/quarters"))
    near = select("hit", compose("selection/inside"), _near(edges, values))
    return over(valued, source=over(compose("traffic/hits"), near_edges=near))


def _near(edges: Sequence[datetime], values: Values) -> str:
    """Return the condition that a hit is so near to an edge that its session may cross it; of many edges all are."""
    if len(edges) > _FEW_EDGES:
        return "true"
    spans = [(values.add(edge - LONGEST), values.add(edge + LONGEST)) for edge in edges]
    return f"({' or '.join(f'occurred_at between {since} and {until}' for since, until in spans)})"


def _total(row: Sequence[int]) -> Traffic:
    return Traffic(
        sessions=row[1],
        visitors=row[2],
        pageviews=row[3],
        events=row[4],
        sessions_with_pageviews=row[5],
        bounces=row[6],
        seconds=row[7],
        engaged_sessions=row[8],
        engaged_ms=row[9],
    )
