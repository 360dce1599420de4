"""Reports on traffic by columns: overview and time series, with visitors counted once over files and rows."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.columns.engine import ColumnsFailed, Reason
from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.reports.selection import paths_of_hits
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports import TrafficReports
from footfall.application.ports.uncovered import PieceOfTraffic
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER, on_quarter
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic, TrafficPoint
from footfall.domain.traffic.session import LONGEST

# Cells are as long as one of these: shorter pieces are counted from rows.
_CELLS = (QUARTER, timedelta(minutes=1))
_DAY = timedelta(days=1)
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class ColumnTrafficReports:
    """TrafficReports from files and the rows that they do not cover, or from rows alone."""

    _columns: Columns
    _rows: TrafficReports

    async def data_since(self, site_id: int) -> datetime | None:
        """Return the quarter of an hour of the first hit."""
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
    cells = _cells(pieces)
    rest = await reading.uncovered.traffic(pieces)
    crossing = _crossing(reading.selection.coverage.files, pieces)
    query = compose(
        "traffic/traffic",
        sessions=reading.selection.sessions,
        **_places(cells),
        pieces_of_crossing=_crossed(pieces, cells),
    )
    rows = await reading.query(query, crossing_files=paths_of_hits(crossing), rest=_visitors(rest), **cells)
    counted = {row[0]: _total(row, rest.get(row[0])) for row in rows}
    return [counted.get(index, Traffic()) for index in range(len(pieces))]


def _cells(pieces: Sequence[Period]) -> Mapping[str, Any]:
    """Return the pieces of the cells that the clock cuts the period into, as parameters; none for a single piece."""
    edges = [piece.start for piece in pieces[1:]]
    if not edges:
        return {}
    cell = next((cell for cell in _CELLS if not any((edge - _EPOCH) % cell for edge in edges)), None)
    if cell is None:
        raise ColumnsFailed(Reason.SHORT)
    numbers = [(piece.start - _EPOCH) // cell for piece in pieces]
    numbers.append(-((_EPOCH - pieces[-1].end) // cell))
    placed = [index for index, (first, last) in enumerate(pairwise(numbers)) for _ in range(last - first)]
    return {"cells": json.dumps(placed), "first_cell": numbers[0], "cell_length": cell // _MICROSECOND}


def _places(cells: Mapping[str, Any]) -> dict[str, str]:
    if not cells:
        return {
            "cells": "",
            "cells_of_session": "",
            "first_piece": "case when started_at >= $start then 0 else -1 end",
            "last_piece": "case when ended_at < $end then 0 else 1 end",
        }
    return {
        "first_piece": "case when started_at >= $start then first_cell.piece else -1 end",
        "last_piece": "case when ended_at < $end then last_cell.piece else -2 end",
    }


def _crossed(pieces: Sequence[Period], cells: Mapping[str, Any]) -> str:
    """Return the query of the pieces of sessions in several: by their quarters where all edges are such."""
    piece = "cell.piece" if cells else "0"
    if all(on_quarter(edge) for edge in _edges(pieces)):
        place = {} if cells else {"cell_of_quarter": ""}
        return compose("traffic/pieces_of_quarters", quarter_piece=piece, **place)
    place = {} if cells else {"cell_of_hit": ""}
    return compose("traffic/pieces_of_hits", hit_piece=piece, **place)


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
