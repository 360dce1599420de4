"""Hits of the log that a list of exclusions would have refused."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import without_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.reports.expressions import MOST_BYTES, matching
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.application.reports.turns.matching_time import MATCHING_SECONDS
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.period import Period
from footfall.domain.sites.configuration import SETTINGS, ListSetting
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.tracking.event_time import MOST_AHEAD, MOST_BEHIND
from footfall.domain.traffic.exclusion_what_if import Exclusion, Refusals, RefusedHits

_FOLDER = "reports/what_if"
_NONE = RefusedHits(0, 0)
_TOO_MANY = (
    f"patterns are compared with at most {MOST_BYTES // 1024**2} MB of different values, and this period has more: ask"
    " for a shorter period"
)
_TOO_SLOW = (
    f"patterns have {MATCHING_SECONDS:g} seconds, which do not suffice for the values of this period: ask for shorter"
    " patterns or a shorter period"
)


@frozen
class PostgresRefusedHits:
    """RefusedHitsReports over the log."""

    _connections: ReportConnections
    _compile_patterns: PatternCompiler
    _seconds: float = MATCHING_SECONDS

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused."""
        parameters = {
            "site_id": site_id,
            "attribute": exclusion.attribute,
            "start": period.start,
            "end": period.end,
            "earliest": period.start - MOST_BEHIND,
            "latest": period.end + MOST_AHEAD,
            "starts": [day.start for day in days],
        }
        query = compose(f"{_FOLDER}/refused")
        async with report_snapshot(self._connections) as connection:
            async with without_nested_loops(connection):
                values = await self._values(connection, exclusion, parameters)
                cursor = await connection.execute(query, {**parameters, "values": values}, prepare=False)
            rows = await cursor.fetchall()
        pieces = {row["piece"]: RefusedHits(row["hits"], row["sessions"]) for row in rows}
        return Refusals(pieces[0], tuple(pieces.get(piece, _NONE) for piece in range(1, len(days) + 1)))

    async def _values(
        self, connection: StoreConnection, exclusion: Exclusion, parameters: Mapping[str, Any]
    ) -> list[str]:
        """Return the values of the hits that are refused: countries as they are given, others as the period has them.

        Raises:
            Invalid: the period has too many different values to be compared with patterns.

        """
        if exclusion.setting is ListSetting.EXCLUDED_COUNTRIES:
            return list(exclusion.entries)
        query = compose(
            "reports/selection/values",
            source=compose(f"{_FOLDER}/arrived"),
            table=sql.Identifier("hit"),
            text=sql.Identifier("value"),
            comparison=compose("reports/selection/every_row"),
        )
        limited = {**parameters, "most_bytes": MOST_BYTES}
        rows = await connection.rows(query, prepare=False, **limited)
        if any(row["bytes"] > MOST_BYTES for row in rows):
            raise Invalid({SETTINGS[exclusion.setting].name: [_TOO_MANY]})
        refused, _ = await asyncio.to_thread(
            matching,
            [exclusion.matcher(self._compile_patterns)],
            [row["value"] for row in rows],
            self._seconds,
            Invalid({SETTINGS[exclusion.setting].name: [_TOO_SLOW]}),
        )
        return refused
