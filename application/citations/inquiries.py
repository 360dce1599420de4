"""What a report is asked in each of the states that an explanation compares (docs/citations.md#which-reports).

An inquiry has everything that an answer depends on besides the hits: two equal ones have the same answer of one traffic
log. Decisions, such as a goal's new rule or another filter of a segment, make another inquiry.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.comparison import both_periods
from footfall.application.reports.exploration_tables import (
    funnel_table,
    number_points_table,
    properties_table,
    property_values_table,
)
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import (
    MAX_ROWS,
    Table,
    breakdown_table,
    movements_table,
    overview_table,
    pages_table,
    table_of,
    timeseries_table,
    vitals_table,
)
from footfall.domain.citations.changes import Figures
from footfall.domain.citations.definitions import OF_REPORTS, OF_VITALS, Definition, of_filters
from footfall.domain.exceptions import FunnelNotFound
from footfall.domain.funnels.checking import countable_steps
from footfall.domain.funnels.progress import FunnelSteps
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.movement import movements
from footfall.domain.traffic.web_vitals import METRICS

ROWS = Page(1, MAX_ROWS)
# The columns whose differences are explained.
FIGURES = frozenset(
    {
        *("sessions", "visitors", "pageviews", "events", "bounce_rate", "average_session_duration"),
        *("total_conversions", "total_sessions", "conversion_rate"),
        *("sessions_with_pageviews", "total_sessions_with_pageviews"),
        *("count", "percentage", "entries", "time_on_page", "sessionCount", "error_count", "sum", "average"),
        *("difference", "previous", "change"),
        *("conversions", "conversionRate", "comparedSessions", "comparedConversions"),
        *("otherSessions", "otherConversions", "conversionsLost"),
        *("reached", "rate", "went_on", "dropped_off", "median_seconds", "left"),
        *("samples", *(f"{metric}_{part}" for metric in METRICS for part in ("p50", "p75", "p90"))),
    }
)
_DECIMALS = 6


class Inquiry(Protocol):
    """A report with all that it is asked; equal inquiries have equal answers."""

    @property
    def query(self) -> ReportQuery:
        """The filters, and the period, or the time around both periods that are compared."""

    @property
    def keys(self) -> Sequence[str]:
        """The columns that name a row; none of a report of one row."""

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return the first 10,000 rows of the report."""


@frozen
class OverviewInquiry:
    """The figures of a period."""

    query: ReportQuery
    keys: Sequence[str] = ()

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return one row."""
        period, filters = self.query.period, self.query.filters
        return overview_table({"current": (period, await reports.traffic.overview(site_id, period, filters))})


@frozen
class TimeseriesInquiry:
    """The figures of each bucket."""

    query: ReportQuery
    size: BucketSize
    zone: ZoneInfo
    keys: Sequence[str] = ("time",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each bucket."""
        period, filters = self.query.period, self.query.filters
        return timeseries_table(
            await reports.traffic.timeseries(site_id, period, self.size, self.zone, filters)
        )


@frozen
class GoalsInquiry:
    """The conversions of some goals, by their ids."""

    query: ReportQuery
    goals: Sequence[tuple[int, GoalQuery]]
    keys: Sequence[str] = ("goalId",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each goal."""
        if not self.goals:
            return table_of(self.keys, [])
        queries = [goal for _, goal in self.goals]
        found = await reports.goals.count_conversions(site_id, queries, self.query.period, self.query.filters)
        rows = [
            {
                "goalId": goal_id,
                "total_conversions": one.conversions,
                "total_sessions": one.sessions,
                "conversion_rate": one.rate,
                "total_sessions_with_pageviews": one.sessions_with_pageviews,
            }
            for (goal_id, _), one in zip(self.goals, found, strict=True)
        ]
        return table_of(tuple(rows[0]), rows)


def goals_inquiry(query: ReportQuery, goals: Iterable[GoalRecord]) -> GoalsInquiry:
    """Return what is asked about the goals of a state."""
    return GoalsInquiry(query, tuple((one.goal.goal_id, one.query) for one in goals))


@frozen
class BreakdownInquiry:
    """The values of an attribute, on request with visitors, and with the conversions of a goal."""

    query: ReportQuery
    by: str
    visitors: bool = False
    goal: GoalQuery | None = None
    choice: RowChoice = EVERY_ROW
    keys: Sequence[str] = ("value",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each value."""
        found = await reports.breakdowns.break_down(
            site_id,
            self.by,
            self.query.period,
            ROWS,
            self.query.filters,
            visitors=self.visitors,
            goal=self.goal,
            choice=self.choice,
        )
        return breakdown_table(found)


@frozen
class MoversInquiry:
    """The values of an attribute in two periods, also those whose counts are equal in both."""

    query: ReportQuery
    window: ReportPeriod
    by: str
    keys: Sequence[str] = ("value",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each value of either period."""
        pages = await both_periods(
            reports.breakdowns, site_id, self.by, self.window, self.query.filters, MAX_ROWS
        )
        return movements_table(movements(*(page.rows for page in pages)))


def movers_inquiry(window: ReportPeriod, filters: Sequence[Filter], by: str) -> MoversInquiry:
    """Return what is asked about the values of an attribute in both periods of a window."""
    return MoversInquiry(ReportQuery(window.span, filters), window, by)


@frozen
class RowReport:
    """A report that is asked for rows of a period with filters, and nothing else; `key` names a row."""

    key: str
    ask: Callable[[ReportSet], Callable[..., Awaitable[Any]]]
    shown: Callable[[Any], Table]


PAGES = RowReport("pathname", lambda reports: reports.breakdowns.pages, pages_table)
# A row for all pages together, too.
WEB_VITALS = RowReport("pathname", lambda reports: reports.breakdowns.web_vitals, vitals_table)


@frozen
class RowsInquiry:
    """The rows of a report that is asked nothing else."""

    report: RowReport
    query: ReportQuery
    choice: RowChoice = EVERY_ROW

    @property
    def keys(self) -> Sequence[str]:
        """The column that names a row."""
        return (self.report.key,)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return the rows."""
        period, filters = self.query.period, self.query.filters
        found = await self.report.ask(reports)(site_id, period, ROWS, filters, choice=self.choice)
        return self.report.shown(found)


@frozen
class FunnelInquiry:
    """The progress in a funnel."""

    query: ReportQuery
    steps: FunnelSteps
    keys: Sequence[str] = ("step",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each step."""
        found = await reports.funnels.progress(site_id, self.steps, self.query.period, self.query.filters)
        return funnel_table(["" for _ in found], found)


def funnel_inquiry(
    query: ReportQuery, directory: Directory, site_id: int, funnel_id: int | None
) -> FunnelInquiry:
    """Return what is asked about a funnel of a site in a state.

    Raises:
        FunnelNotFound: the site has no such funnel in this state.
        FunnelNotCountable: a goal of the funnel was deleted, or visitors cannot be followed over days.

    """
    record = None if funnel_id is None else directory.funnel(funnel_id)
    site = directory.site(str(site_id))
    if record is None or site is None or record.funnel.site_id != site_id:
        raise FunnelNotFound
    rules = {one.goal.goal_id: one.goal.rule for one in directory.goals_of(site_id)}
    rotating = site.site.config.salt_user_ids
    return FunnelInquiry(query, countable_steps(record.funnel.plan, rules, rotating=rotating))


@frozen
class PropertiesInquiry:
    """The properties of an event."""

    query: ReportQuery
    event: EventRule
    choice: RowChoice = EVERY_ROW
    keys: Sequence[str] = ("property",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each property."""
        found = await reports.properties.properties(
            site_id, self.event, self.query.period, ROWS, self.query.filters, choice=self.choice
        )
        return properties_table(found.properties, self.event.event_name, {})


@frozen
class PropertyValuesInquiry:
    """The values of a property."""

    query: ReportQuery
    event: EventRule
    property: str
    choice: RowChoice = EVERY_ROW
    keys: Sequence[str] = ("type", "value")

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each value."""
        found = await reports.properties.values(
            site_id,
            self.event,
            self.property,
            self.query.period,
            ROWS,
            self.query.filters,
            choice=self.choice,
        )
        return property_values_table(found)


@frozen
class PropertySeriesInquiry:
    """The numbers of a property in each bucket."""

    query: ReportQuery
    event: EventRule
    property: str
    size: BucketSize
    zone: ZoneInfo
    keys: Sequence[str] = ("time",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each bucket."""
        found = await reports.properties.series(
            site_id,
            self.event,
            self.property,
            self.query.period,
            self.size,
            self.zone,
            self.query.filters,
        )
        return number_points_table(found)


def uses_of(inquiry: Inquiry) -> frozenset[Definition]:
    """Return the definitions that a report uses."""
    is_of_vitals = isinstance(inquiry, RowsInquiry) and inquiry.report is WEB_VITALS
    return (OF_VITALS if is_of_vitals else OF_REPORTS) | of_filters(inquiry.query.filters)


def figures_of(table: Table, keys: Sequence[str]) -> Figures:
    """Return the numbers of a table by row; fractions have six decimals."""
    names = [name for name in table.columns if name in FIGURES]
    return {
        tuple(str(row[key]) for key in keys): {name: _shown(row[name]) for name in names}
        for row in table.records()
    }


def _shown(value: object) -> int | float | None:
    return round(value, _DECIMALS) if isinstance(value, float) else value if isinstance(value, int) else None
