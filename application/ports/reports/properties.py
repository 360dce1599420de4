"""The port of reports on the properties of custom events; the functions of the domain define the results."""

from collections.abc import Mapping, Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.dimensions import Family
from footfall.domain.traffic.properties import NumberPoint, Numbers, PropertyCount, PropertyValues
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class PropertyPage:
    """A page of the properties of an event, and the number of properties on all pages."""

    properties: Sequence[PropertyCount]
    total: int


class PropertyReports(Protocol):
    """Reports on the properties of the custom events of one site that satisfy a rule.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def properties(
        self, site_id: int, event: EventRule, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of `event_properties` over all hits of the site.

        The choice is by a text in them; it names no properties.
        """

    async def keys(
        self, site_id: int, family: Family, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> PropertyPage:
        """Return a page of `keys_of_family` over all hits of the site.

        The choice is by a text in them; it names no keys.
        """

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
        """Return `property_values` over all hits of the site, with a page of the values.

        The choice is by a text in them; it names no values.
        """

    async def numbers(
        self, site_id: int, event: EventRule, keys: Sequence[str], query: ReportQuery
    ) -> Mapping[str, Numbers]:
        """Return `property_numbers` over all hits of the site."""

    async def series(
        self, site_id: int, event: EventRule, key: str, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[NumberPoint]:
        """Return `property_series` over all hits of the site.

        Raises:
            Invalid: there would be more than 2,000 buckets.

        """
