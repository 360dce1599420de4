"""Properties of events in memory: the functions of the domain over the whole log."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.reports.properties import PropertyPage
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.properties import (
    NumberPoint,
    PropertyValues,
    event_properties,
    property_series,
    property_values,
)


@frozen
class MemoryProperties:
    """PropertyReports over a traffic log in memory."""

    _log: MemoryTrafficLog

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
        found = event_properties(event, await self._hits(site_id), period, filters, choice=choice)
        return PropertyPage(list(page.of(found)), len(found))

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
        found = property_values(event, key, await self._hits(site_id), period, filters, choice=choice)
        return evolve(found, values=list(page.of(found.values)))

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
        return property_series(event, key, await self._hits(site_id), period, size, zone, filters)

    async def _hits(self, site_id: int) -> list[RecordedHit]:
        high_water_mark = await self._log.high_water_mark()
        recorded = await self._log.read(after=0, up_to=high_water_mark, limit=high_water_mark)
        return [one for one in recorded if one.hit.site_id == site_id]
