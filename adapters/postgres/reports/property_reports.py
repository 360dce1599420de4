"""Properties of events over rows: the events of the selected sessions, counted by key, by value and by time."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.adapters.postgres.reports.expressions import selected_snapshot
from footfall.adapters.postgres.reports.row_choice import choice_parameters, containing
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.snapshot import ReportConnections
from footfall.application.ports.reports.properties import PropertyPage
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.properties import (
    MOST_VALUES,
    NumberPoint,
    Numbers,
    PropertyCount,
    PropertyValue,
    PropertyValues,
    named_on,
)

_FOLDER = "reports/properties"


@frozen
class PostgresProperties:
    """PropertyReports over sessions and the log."""

    _connections: ReportConnections

    async def properties(
        self,
        site_id: int,
        event: EventRule,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> PropertyPage:
        """Return a page of the properties, the most frequent first."""
        selection = Selection(site_id, period, filters)
        rows = await self._rows(
            "properties", selection, event, _of(page, choice), chosen=containing(choice, "key")
        )
        found = [
            PropertyCount(row["key"], row["count"], row["sessions"]) for row in rows if row["key"] is not None
        ]
        return PropertyPage(found, rows[0]["total"])

    async def values(
        self,
        site_id: int,
        event: EventRule,
        key: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> PropertyValues:
        """Return a page of the values, the most frequent first."""
        selection = Selection(site_id, period, filters)
        rows = await self._rows(
            "values",
            selection,
            event,
            {"key": key, **_of(page, choice), "limit": named_on(page)},
            chosen=containing(choice, "value"),
        )
        first = rows[0]
        values = [
            PropertyValue(row["type"], row["value"], row["count"], row["sessions"])
            for row in rows
            if row["type"] is not None
        ]
        numbers = Numbers(first["numbers"], first["sum"], first["median"])
        return PropertyValues(
            values=values,
            chosen=first["chosen"],
            distinct=first["distinct"],
            count=first["events"],
            other=first["other"],
            numbers=numbers,
        )

    async def series(
        self,
        site_id: int,
        event: EventRule,
        key: str,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        filters: Sequence[Filter] = (),
    ) -> list[NumberPoint]:
        """Return the numbers in each bucket of the period."""
        buckets = split_into_buckets(period, size, zone)
        selection = Selection(site_id, period, filters)
        more = {"key": key, "edges": [bucket.period.start for bucket in buckets]}
        rows = {row["piece"]: row for row in await self._rows("series", selection, event, more)}
        return [
            NumberPoint(bucket.time, rows[index]["count"], rows[index]["sum"])
            if index in rows
            else NumberPoint(bucket.time, 0, Decimal(0))
            for index, bucket in enumerate(buckets)
        ]

    async def _rows(
        self,
        name: str,
        selection: Selection,
        event: EventRule,
        more: Mapping[str, Any],
        **pieces: sql.Composable,
    ) -> list[DictRow]:
        constants = {"type": sql.Literal(str(HitType.CUSTOM_EVENT)), "most": sql.Literal(MOST_VALUES)}
        query = compose(f"{_FOLDER}/{name}", conditions=selection.conditions, **constants, **pieces)
        async with selected_snapshot(self._connections, selection) as (connection, matched):
            await avoid_nested_loops(connection)
            cursor = await connection.execute(query, {**matched.parameters, **rule_values(event), **more})
            return await cursor.fetchall()


def _of(page: Page, choice: RowChoice) -> dict[str, Any]:
    return {"limit": page.size, "offset": page.offset, **choice_parameters(choice)}
