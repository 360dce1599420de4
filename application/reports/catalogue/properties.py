"""Inquiries about properties of events."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from attrs import field, frozen

from footfall.application.ports.reports.properties import PropertyPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.tables import Column, Table, table_by
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.percentage import percentage
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.properties import NumberPoint, PropertyValues


@frozen
class PropertiesInquiry(Inquiry[PropertyPage]):
    """The properties of an event; the currencies of those that are money change no figure."""

    event: EventRule
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    currencies: Mapping[tuple[str, str], str] = field(factory=dict, eq=False)
    keys = ("property",)

    async def ask(self, reports: ReportSet, site_id: int) -> PropertyPage:
        """Return the properties."""
        return await reports.properties.properties(
            site_id, self.event, self.query, self.page, choice=self.choice
        )

    def table(self, answer: PropertyPage) -> Table:
        """Return a row for each property."""
        event = self.event.event_name
        columns: dict[str, Column] = {"property": "key", "count": "count", "sessions": "sessions"}
        columns["currency"] = lambda row: self.currencies.get((event, row.key))
        return table_by(columns, answer.properties)


@frozen
class PropertyValuesInquiry(Inquiry[PropertyValues]):
    """The values of a property."""

    event: EventRule
    property: str
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("type", "value")

    async def ask(self, reports: ReportSet, site_id: int) -> PropertyValues:
        """Return the values."""
        return await reports.properties.values(
            site_id, self.event, self.property, self.query, self.page, choice=self.choice
        )

    def table(self, answer: PropertyValues) -> Table:
        """Return a row for each value."""
        columns: dict[str, Column] = {name: name for name in ("type", "value", "count", "sessions")}
        columns["percentage"] = lambda row: percentage(row.count, answer.count)
        return table_by(columns, answer.values)


@frozen
class PropertySeriesInquiry(Inquiry[list[NumberPoint]]):
    """The numbers of a property in each bucket."""

    event: EventRule
    property: str
    size: BucketSize
    zone: ZoneInfo
    keys = ("time",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[NumberPoint]:
        """Return the numbers."""
        return await reports.properties.series(
            site_id, self.event, self.property, self.query, self.size, self.zone
        )

    def table(self, answer: list[NumberPoint]) -> Table:
        """Return a row for each bucket."""
        columns: dict[str, Column] = {
            "time": "time",
            "count": "count",
            "sum": lambda point: float(point.sum),
            "average": lambda point: float(point.sum / point.count) if point.count else None,
        }
        return table_by(columns, answer)
