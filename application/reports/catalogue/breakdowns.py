"""Inquiries about breakdowns, pages and web vitals."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import asdict, evolve, field, frozen

from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.comparison import (
    ComparedRows,
    Movers,
    RowsBefore,
    both_periods,
    earlier_rows,
    largest_movers,
)
from footfall.application.reports.goal_values import GoalValue, values_by_row
from footfall.application.reports.tables import (
    CONVERSIONS,
    MAX_ROWS,
    Column,
    Table,
    conversion_figures,
    table_by,
    table_of,
)
from footfall.domain.citations.definitions import OF_VITALS
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.percentage import percentage
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.sites.currencies import Currencies
from footfall.domain.traffic.breakdown import BreakdownRow, groups_of
from footfall.domain.traffic.breakdown_changes import movements
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import METRICS, PageVitals, rate

# A path begins with a slash, so no page has this name.
ALL_PAGES = "(all pages)"
_OF_PAGES = (
    *("visitors", "entries", "bounce_rate", "entry_engaged_time", "engaged_entries", "time_on_page"),
    *("engaged_time", "engaged_pageviews", "scroll_depth", "scrolled_pageviews"),
)


@frozen
class Breakdown:
    """A page of values, what they were in the period that they are compared with, and the money of a goal in each."""

    page: BreakdownPage
    earlier: RowsBefore | None = None
    values: Mapping[str, Sequence[GoalValue]] = MappingProxyType({})


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
    groups: PageGroups = UNGROUPED
    currencies: Currencies = field(factory=dict, eq=False)
    keys = ("value",)

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.query.period if self.window is None else self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> Breakdown:
        """Return a page of the values, and what they were before."""
        page = await reports.breakdowns.break_down(
            site_id,
            self.by,
            self.query,
            self.page,
            visitors=self.visitors,
            goal=self.goal,
            choice=self.choice,
            groups=self.groups,
        )
        values = await self._values(reports, site_id, page)
        if self.window is None:
            return Breakdown(page, values=values)
        before = evolve(self.query, period=self.window.before)
        earlier = await earlier_rows(
            reports.breakdowns, site_id, self.by, before, page, goal=self.goal, groups=self.groups
        )
        return Breakdown(page, earlier, values)

    def table(self, answer: Breakdown) -> Table:
        """Return a row for each value."""
        counted = ("visitors",) if self.visitors or self.goal else ()
        converted = () if self.goal is None else CONVERSIONS
        before = ("previous", "previous_rank", *(f"previous_{name}" for name in converted))
        columns = ("value", "count", *counted, "percentage", *converted, *(before if answer.earlier else ()))
        table = table_of(columns, [_value_row(row, answer) for row in answer.page.rows])
        return _with_groups(table, groups_of(self.by, self.groups))

    async def _values(
        self, reports: ReportSet, site_id: int, page: BreakdownPage
    ) -> Mapping[str, Sequence[GoalValue]]:
        if self.goal is None or not self.currencies:
            return {}
        rule, among = self.goal.rule, [row.value for row in page.rows]
        return await values_by_row(
            reports.breakdowns, site_id, rule, self.by, among, self.currencies, self.query, groups=self.groups
        )


@frozen
class MoversInquiry(Inquiry[list[ComparedRows]]):
    """The values of an attribute in two periods, also those whose counts are equal in both."""

    window: ReportPeriod
    by: str
    groups: PageGroups = UNGROUPED
    keys = ("value",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[ComparedRows]:
        """Return the values of both periods."""
        return await both_periods(
            reports.breakdowns,
            site_id,
            self.by,
            self.window,
            self.query.filters,
            MAX_ROWS,
            groups=self.groups,
        )

    def table(self, answer: list[ComparedRows]) -> Table:
        """Return a row for each value of either period."""
        columns = _moved("value", "difference", "count", "previous", "change")
        moved = table_by(columns, movements(*(rows.rows for rows in answer)))
        return _with_groups(moved, groups_of(self.by, self.groups))


@frozen
class LargestMoversInquiry(Inquiry[Movers]):
    """The values of an attribute that changed most between both periods of a window."""

    window: ReportPeriod
    by: str
    most: int
    groups: PageGroups = UNGROUPED

    async def ask(self, reports: ReportSet, site_id: int) -> Movers:
        """Return the values."""
        return await largest_movers(
            reports.breakdowns,
            site_id,
            self.by,
            self.window,
            self.query.filters,
            self.most,
            groups=self.groups,
        )

    def table(self, answer: Movers) -> Table:
        """Return a row for each value."""
        columns = _moved("value", "count", "previous", "difference", "change")
        return _with_groups(table_by(columns, answer.movements), groups_of(self.by, self.groups))


def movers_inquiry(
    window: ReportPeriod, filters: Sequence[Filter], by: str, groups: PageGroups = UNGROUPED
) -> MoversInquiry:
    """Return what is asked about the values of an attribute in both periods of a window."""
    return MoversInquiry(ReportQuery(window.span, filters), window, by, groups)


@frozen
class PagesInquiry(Inquiry[PagesPage]):
    """The pages with their visitors, bounces and times, the paths of a group as one page."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    groups: PageGroups = UNGROUPED
    keys = ("pathname",)
    shows_engagement = True

    async def ask(self, reports: ReportSet, site_id: int) -> PagesPage:
        """Return the pages."""
        return await reports.breakdowns.pages(
            site_id, self.query, self.page, choice=self.choice, groups=self.groups
        )

    def table(self, answer: PagesPage) -> Table:
        """Return a row for each page."""
        columns: dict[str, Column] = {
            "pathname": "pathname",
            "pageviews": "pageviews",
            "percentage": lambda page: percentage(page.pageviews, answer.pageviews),
            **{name: name for name in _OF_PAGES},
        }
        return _with_groups(table_by(columns, answer.rows), self.groups)


@frozen
class WebVitalsInquiry(Inquiry[list[PageVitals]]):
    """The web vitals of all pages together, and of each page."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("pathname",)
    uses = OF_VITALS

    async def ask(self, reports: ReportSet, site_id: int) -> list[PageVitals]:
        """Return the vitals."""
        return await reports.breakdowns.web_vitals(site_id, self.query, self.page, choice=self.choice)

    def table(self, answer: list[PageVitals]) -> Table:
        """Return a row for all pages, and one for each."""
        parts = ("p50", "p75", "p90", "rating")
        columns = ("pathname", "samples", *(f"{name}_{part}" for name in METRICS for part in parts))
        rows = [
            {"pathname": ALL_PAGES if page.pathname is None else page.pathname, "samples": page.samples}
            | _percentiles(page)
            for page in answer
        ]
        return table_of(columns, rows)


def _moved(*columns: str) -> Mapping[str, Column]:
    return {name: "before" if name == "previous" else name for name in columns}


def _with_groups(table: Table, groups: PageGroups) -> Table:
    """Return a table with the group of the path that each row begins with; None for one without a group."""
    if not groups.rules:
        return table
    rows = [[*row, row[0] if row[0] in groups.names else None] for row in table.rows]
    return Table((*table.columns, "group"), rows)


def _percentiles(page: PageVitals) -> dict[str, Any]:
    return {
        f"{name}_{part}": value
        for name, percentiles in page.metrics.items()
        for part, value in {**asdict(percentiles), "rating": rate(name, percentiles.p75)}.items()
    }


def _value_row(row: BreakdownRow, answer: Breakdown) -> dict[str, Any]:
    return {
        "value": row.value,
        "count": row.count,
        "visitors": row.visitors,
        "percentage": percentage(row.count, answer.page.count),
        **(conversion_figures(row.conversions) if row.conversions else {}),
        **_before(answer.earlier, row.value),
    }


def _before(earlier: RowsBefore | None, value: str) -> dict[str, Any]:
    row = None if earlier is None else earlier.rows.get(value)
    converted = conversion_figures((row and row.conversions) or Conversions(0, 0))
    return {
        "previous": row.count if row else 0,
        "previous_rank": row.rank if row else None,
        **{f"previous_{name}": figure for name, figure in converted.items()},
    }
