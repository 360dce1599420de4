"""Properties of events in memory: the functions of the domain over the whole log."""

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.reports.properties import PropertyPage
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.dimensions import Family
from footfall.domain.traffic.properties import (
    NumberPoint,
    Numbers,
    PropertyValues,
    event_properties,
    keys_of_family,
    property_numbers,
    property_series,
    property_values,
)
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryProperties:
    """PropertyReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def properties(
        self, site_id: int, event: EventRule, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of the properties, the most frequent first."""
        properties = event_properties(
            event, self._log.hits_of(site_id), query.period, query.filters, choice=choice
        )
        return PropertyPage(list(page.of(properties)), len(properties))

    async def keys(
        self, site_id: int, family: Family, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of the keys of a family, the most frequent first."""
        keys = keys_of_family(family, self._log.hits_of(site_id), query.period, query.filters, choice=choice)
        return PropertyPage(list(page.of(keys)), len(keys))

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
        distribution = property_values(
            event, key, self._log.hits_of(site_id), query.period, query.filters, choice=choice
        )
        return evolve(distribution, values=list(page.of(distribution.values)))

    async def numbers(
        self, site_id: int, event: EventRule, keys: Sequence[str], query: ReportQuery
    ) -> Mapping[str, Numbers]:
        """Return the numbers of properties."""
        return property_numbers(event, keys, self._log.hits_of(site_id), query.period, query.filters)

    async def series(
        self, site_id: int, event: EventRule, key: str, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[NumberPoint]:
        """Return the numbers in each bucket of the period."""
        return property_series(
            event, key, self._log.hits_of(site_id), query.period, size, zone, query.filters
        )
