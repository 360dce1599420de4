"""What breakdowns, pages and web vitals are asked."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.comparison import (
    ComparedRows,
    Earlier,
    Movers,
    both_periods,
    earlier_rows,
    largest_movers,
)
from footfall.application.reports.report_query import ReportQuery
from footfall.application.reports.tables import (
    MAX_ROWS,
    Table,
    breakdown_table,
    movements_table,
    movers_table,
    pages_table,
    vitals_table,
)
from footfall.domain.citations.definitions import OF_VITALS
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.movement import movements
from footfall.domain.traffic.web_vitals import PageVitals


@frozen
class Breakdown:
    """A page of values, and what they were in the period that they are compared with."""

    page: BreakdownPage
    earlier: Earlier | None = None


@frozen
class BreakdownInquiry(Inquiry[Breakdown]):
    """The values of an attribute, on request with visitors, and with the conversions of a goal.

    With a `window` each row of the page has its figures in the period that this is compared with, too.
    """

    by: str
    visitors: bool = False
    goal: GoalQuery | None = None
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    window: ReportPeriod | None = None
    keys = ("value",)

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.query.period if self.window is None else self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> Breakdown:
        """Return a page of the values, and what they were before."""
        filters = self.query.filters
        found = await reports.breakdowns.break_down(
            site_id,
            self.by,
            self.query.period,
            self.page,
            filters,
            visitors=self.visitors,
            goal=self.goal,
            choice=self.choice,
        )
        if self.window is None:
            return Breakdown(found)
        before = self.window.before
        earlier = await earlier_rows(
            reports.breakdowns, site_id, self.by, before, found, filters, goal=self.goal
        )
        return Breakdown(found, earlier)

    def table(self, found: Breakdown) -> Table:
        """Return a row for each value."""
        return breakdown_table(found.page, found.earlier)


@frozen
class MoversInquiry(Inquiry[list[ComparedRows]]):
    """The values of an attribute in two periods, also those whose counts are equal in both."""

    window: ReportPeriod
    by: str
    keys = ("value",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[ComparedRows]:
        """Return the values of both periods."""
        return await both_periods(
            reports.breakdowns, site_id, self.by, self.window, self.query.filters, MAX_ROWS
        )

    def table(self, found: list[ComparedRows]) -> Table:
        """Return a row for each value of either period."""
        return movements_table(movements(*(one.rows for one in found)))


@frozen
class LargestMoversInquiry(Inquiry[Movers]):
    """The values of an attribute that changed most between both periods of a window."""

    window: ReportPeriod
    by: str
    most: int

    async def ask(self, reports: ReportSet, site_id: int) -> Movers:
        """Return the values."""
        return await largest_movers(
            reports.breakdowns, site_id, self.by, self.window, self.query.filters, self.most
        )

    def table(self, found: Movers) -> Table:
        """Return a row for each value."""
        return movers_table(found)


def movers_inquiry(window: ReportPeriod, filters: Sequence[Filter], by: str) -> MoversInquiry:
    """Return what is asked about the values of an attribute in both periods of a window."""
    return MoversInquiry(ReportQuery(window.span, filters), window, by)


@frozen
class PagesInquiry(Inquiry[PagesPage]):
    """The pages with their visitors, bounces and times."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("pathname",)

    async def ask(self, reports: ReportSet, site_id: int) -> PagesPage:
        """Return the pages."""
        period, filters = self.query.period, self.query.filters
        return await reports.breakdowns.pages(site_id, period, self.page, filters, choice=self.choice)

    def table(self, found: PagesPage) -> Table:
        """Return a row for each page."""
        return pages_table(found)


@frozen
class WebVitalsInquiry(Inquiry[list[PageVitals]]):
    """The web vitals of all pages together, and of each page."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("pathname",)
    uses = OF_VITALS

    async def ask(self, reports: ReportSet, site_id: int) -> list[PageVitals]:
        """Return the vitals."""
        period, filters = self.query.period, self.query.filters
        return await reports.breakdowns.web_vitals(site_id, period, self.page, filters, choice=self.choice)

    def table(self, found: list[PageVitals]) -> Table:
        """Return a row for all pages, and one for each."""
        return vitals_table(found)
