"""Reports on traffic by columns: overview and time series, with visitors counted once over files and rows."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.reports.expressions import Values
from footfall.adapters.columns.reports.selection import paths_of_hits
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports.reports import TrafficReports
from footfall.application.ports.reports.uncovered import PieceOfTraffic
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import on_quarter
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.session import LONGEST

_DAY = timedelta(days=1)
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class ColumnTrafficReports:
    """TrafficReports from files and the rows that they do not cover, or from rows alone."""

    _columns: Columns
    _rows: TrafficReports

    async def data_since(self, site_id: int) -> datetime | None:
        """Return `data_since` of all hits of the site, which rows know."""
        return await self._rows.data_since(site_id)

    async def overview(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Traffic:
        """Return the traffic of the period."""

        async def by_columns(reading: Reading) -> Traffic:
            [traffic] = await _traffic(reading, [period])
            return traffic

        return await self._columns.answer(
            site_id,
            period,
            filters,
            by_columns,
            lambda: self._rows.overview(site_id, period, filters),
            summed=True,
        )

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

        async def by_columns(reading: Reading) -> list[TrafficPoint]:
            traffic = await _traffic(reading, [bucket.period for bucket in buckets])
            return [TrafficPoint(bucket.time, one) for bucket, one in zip(buckets, traffic, strict=True)]

        return await self._columns.answer(
            site_id,
            period,
            filters,
            by_columns,
            lambda: self._rows.timeseries(site_id, period, size, zone, filters),
            summed=True,
        )


async def _traffic(reading: Reading, pieces: Sequence[Period]) -> list[Traffic]:
    """Return the traffic of pieces that follow each other."""
    rest = await reading.uncovered.traffic(pieces)
    crossing = _crossing(reading.selection.coverage.files, pieces)
    runs = _runs(pieces, reading.selection.values)
    query = compose(
        "traffic/traffic",
        sessions=reading.selection.sessions,
        piece_of_start=_piece_of("started_at", runs),
        piece_of_end=_piece_of("ended_at", runs),
        pieces_of_crossing=_crossed(pieces, runs),
    )
    rows = await reading.query(query, crossing_files=paths_of_hits(crossing), rest=_visitors(rest))
    counted = {row[0]: _total(row, rest.get(row[0])) for row in rows}
    return [counted.get(index, Traffic()) for index in range(len(pieces))]


def _runs(pieces: Sequence[Period], values: Values) -> list[dict[str, str]]:
    """Return the runs of pieces of equal length, with the places of their values in the query.

    Days have one length but where a clock changes: a few divisions place an instant. Joins with the pieces, or with
    parts of them, take longer, and DuckDB 2.0.0 fails at them on files of several groups of rows.
    """
    runs = []
    for length, several in groupby(enumerate(pieces), key=lambda numbered: numbered[1].length):
        run = list(several)
        (first, begin), (_, end) = run[0], run[-1]
        known = {
            "first": first,
            "since": _micros(begin.start),
            "until": _micros(end.end),
            "length": length // _MICROSECOND,
        }
        runs.append({name: values.add(value) for name, value in known.items()})
    return runs


def _piece_of(column: str, runs: Sequence[Mapping[str, str]]) -> str:
    """Return the expression of the piece that an instant of the period lies in."""
    branches = [compose("traffic/piece_of_run", at=f"epoch_us({column})", **run) for run in runs]
    return f"(case {' '.join(branches)} end)"


def _crossed(pieces: Sequence[Period], runs: Sequence[Mapping[str, str]]) -> str:
    """Return the query of the pieces of sessions in several: by their quarters where all edges are such."""
    if all(on_quarter(edge) for edge in _edges(pieces)):
        return compose("traffic/pieces_of_quarters", piece=_piece_of("quarter", runs))
    return compose("traffic/pieces_of_hits", piece=_piece_of("occurred_at", runs))


def _edges(pieces: Sequence[Period]) -> list[datetime]:
    return [pieces[0].start, *(piece.end for piece in pieces)]


def _crossing(files: Sequence[ColumnFiles], pieces: Sequence[Period]) -> list[ColumnFiles]:
    """Return the files of days on which sessions that cross an edge of the pieces can have begun."""
    edges = _edges(pieces)
    reached = [one for one in files if any(_reaches(day.day, edges) for day in one.days)]
    # DuckDB refuses to read no file at all.
    return reached or list(files[:1])


def _reaches(day: datetime, edges: Sequence[datetime]) -> bool:
    return any(day < edge < day + _DAY + LONGEST for edge in edges)


def _micros(at: datetime) -> int:
    return (at - _EPOCH) // _MICROSECOND


def _visitors(rest: Mapping[int, PieceOfTraffic]) -> str:
    pieces = [f'{{"piece":{piece},"visitors":{one.visitors}}}' for piece, one in rest.items()]
    return f"[{','.join(pieces)}]"


def _total(row: Sequence[int], rest: PieceOfTraffic | None) -> Traffic:
    other = rest.traffic if rest else Traffic()
    return Traffic(
        visitors=row[1],
        sessions=row[2] + other.sessions,
        pageviews=row[3] + other.pageviews,
        events=row[4] + other.events,
        sessions_with_pageviews=row[5] + other.sessions_with_pageviews,
        bounces=row[6] + other.bounces,
        seconds=row[7] + other.seconds,
    )
