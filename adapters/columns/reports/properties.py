"""Properties of events by columns."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import of_types, rule_condition
from footfall.adapters.columns.selection.row_choice import listed, page_parameters
from footfall.adapters.columns.sql_files import Kept, compose, over
from footfall.application.ports.reports.properties import PropertyPage
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.unix_time import microseconds_of
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.dimensions import Family
from footfall.domain.traffic.properties import (
    MOST_VALUES,
    NumberPoint,
    Numbers,
    PropertyCount,
    PropertyValue,
    PropertyValues,
    named_on,
)
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class ColumnProperties:
    """PropertyReports from files and fresh rows."""

    _columns: Columns

    async def properties(
        self, site_id: int, event: EventRule, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of the properties, the most frequent first."""

        async def by_columns(reading: Reading) -> PropertyPage:
            return await _counted_keys(reading, "properties", _events(reading, event), page, choice)

        return await self._columns.answer(site_id, query, by_columns)

    async def keys(
        self, site_id: int, family: Family, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of the keys of a family, the most frequent first."""

        async def by_columns(reading: Reading) -> PropertyPage:
            hits = reading.selection.hits(of_types(family.of))
            kind = "properties" if family.has_properties else "queries"
            return await _counted_keys(reading, kind, hits, page, choice)

        return await self._columns.answer(site_id, query, by_columns)

    async def values(
        self,
        site_id: int,
        event: EventRule,
        key: str,
        query: ReportQuery,
        page: Page,
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> PropertyValues:
        """Return a page of the values, the most frequent first."""

        async def by_columns(reading: Reading) -> PropertyValues:
            statement = over(
                compose("properties/values"),
                value_group=Kept(over(compose("properties/value_group"), hits=_events(reading, event))),
                **listed(compose("properties/ranked"), choice),
            )
            page_of = page_parameters(page, choice) | {"limit": named_on(page)}
            rows = await reading.query(statement, key=key, most=MOST_VALUES, **page_of)
            return _distribution(rows)

        return await self._columns.answer(site_id, query, by_columns)

    async def numbers(
        self, site_id: int, event: EventRule, keys: Sequence[str], query: ReportQuery
    ) -> Mapping[str, Numbers]:
        """Return the numbers of properties."""

        async def by_columns(reading: Reading) -> Mapping[str, Numbers]:
            statement = over(compose("properties/numbers"), hits=_events(reading, event))
            rows = await reading.query(statement, keys=json.dumps(list(keys)))
            return {
                key: Numbers(count, Decimal(total), Decimal(median)) for key, count, total, median in rows
            }

        return await self._columns.answer(site_id, query, by_columns)

    async def series(
        self, site_id: int, event: EventRule, key: str, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[NumberPoint]:
        """Return the numbers in each bucket of the period."""
        buckets = split_into_buckets(query.period, size, zone)
        starts = [bucket.period.start for bucket in buckets]

        async def by_columns(reading: Reading) -> list[NumberPoint]:
            edges = json.dumps([microseconds_of(start) for start in starts])
            statement = over(compose("properties/series"), hits=_events(reading, event))
            rows = await reading.query(statement, key=key, edges=edges)
            counted = {piece: (count, Decimal(total)) for piece, count, total in rows}
            return [
                NumberPoint(bucket.time, *counted.get(index, (0, Decimal(0))))
                for index, bucket in enumerate(buckets)
            ]

        return await self._columns.answer(site_id, query, by_columns)


async def _counted_keys(
    reading: Reading, kind: str, hits: str, page: Page, choice: RowChoice
) -> PropertyPage:
    keys = over(compose(f"properties/keys_of_{kind}"), hits=hits)
    counted = over(compose("properties/counted_keys"), keys=keys)
    query = over(compose("properties/properties"), **listed(counted, choice))
    rows = await reading.query(query, **page_parameters(page, choice))
    return PropertyPage([PropertyCount(*row[1:]) for row in rows if row[1] is not None], rows[0][0])


def _events(reading: Reading, event: EventRule) -> str:
    return reading.selection.hits(rule_condition(event, reading.selection.values))


def _distribution(rows: Rows) -> PropertyValues:
    chosen, distinct, count, other, numbers, total, median = rows[0][:7]
    summary = Numbers(numbers, Decimal(total), None if median is None else Decimal(median))
    values = [PropertyValue(*row[7:]) for row in rows if row[7] is not None]
    return PropertyValues(values, chosen, distinct, count, other, summary)
