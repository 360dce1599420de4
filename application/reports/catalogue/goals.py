"""Inquiries about goals."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.journal.interface_documents import rule_document
from footfall.application.ports.reports.reports import MatchedSessions
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.catalogue.sessions import SESSION
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.application.reports.tables import (
    CONVERSIONS,
    Table,
    conversion_figures,
    records_by,
    table_of,
)
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.conversion import Conversions, GoalOrder, GoalReport, GoalSort, sort_goals

NEWEST_FIRST = GoalOrder()
_BY_METRIC = (GoalSort.TOTAL_CONVERSIONS, GoalSort.CONVERSION_RATE)


@frozen
class GoalList:
    """A page of goals with their conversions, and the money in the events of each."""

    reports: Sequence[GoalReport]
    values: Sequence[Sequence[GoalValue]]


@frozen
class GoalsInquiry(Inquiry[GoalList]):
    """A page of some goals with their conversions, and with their values where properties are money.

    Only the goals on the page are counted, unless the list is sorted by a count.
    """

    goals: Sequence[GoalRecord]
    order: GoalOrder = NEWEST_FIRST
    page: Page = ROWS
    currencies: Mapping[tuple[str, str], str] = field(factory=dict)
    keys = ("goalId",)

    async def is_cheap(self, reports: ReportSet, site_id: int) -> bool:
        """Return whether the store has counted everything that the list says."""
        # The values of goals are read from the properties of events.
        if self.query.filters or self.currencies:
            return False
        queries = [record.query for record in self.goals]
        return await reports.goals.are_counted(site_id, queries, self.query.period)

    async def ask(self, reports: ReportSet, site_id: int) -> GoalList:
        """Return the page."""
        listed = await self._listed(reports, site_id)
        values = [
            await goal_values(reports.properties, site_id, report.goal.rule, self.currencies, self.query)
            for report in listed
        ]
        return GoalList(listed, values)

    def table(self, answer: GoalList) -> Table:
        """Return a row for each goal."""
        columns = (
            *("goalId", "name", "goalType", "pathPattern", "pagePropertyKey", "pagePropertyValue"),
            *("pageGroup", "eventName", "eventPropertyKey", "eventPropertyValue", "createdAt"),
            *(*CONVERSIONS, "total_sessions_with_pageviews", "setAside"),
        )
        return table_of(columns, map(_goal_row, answer.reports))

    async def _listed(self, reports: ReportSet, site_id: int) -> Sequence[GoalReport]:
        if self.order.sort in _BY_METRIC:
            return self.page.of(sort_goals(await self._count(reports, site_id, self.goals), self.order))
        uncounted = [GoalReport(record.goal, record.created_at, Conversions(0, 0)) for record in self.goals]
        by_id = {record.goal.goal_id: record for record in self.goals}
        chosen = [by_id[report.goal.goal_id] for report in self.page.of(sort_goals(uncounted, self.order))]
        return await self._count(reports, site_id, chosen)

    async def _count(
        self, reports: ReportSet, site_id: int, goals: Sequence[GoalRecord]
    ) -> Sequence[GoalReport]:
        if not goals:
            return []
        queries, query = [record.query for record in goals], self.query
        counts = await reports.goals.count_conversions(site_id, queries, query)
        pairs = zip(goals, counts, strict=True)
        return [GoalReport(record.goal, record.created_at, count) for record, count in pairs]


@frozen
class GoalSessionsInquiry(Inquiry[MatchedSessions]):
    """The sessions that completed a goal, as a reader may see them."""

    goal: GoalQuery
    reader: Reader
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS

    async def ask(self, reports: ReportSet, site_id: int) -> MatchedSessions:
        """Return the sessions, the latest end first."""
        return await reports.goals.converted_sessions(
            site_id, self.goal, self.query, self.page, choice=self.choice
        )

    def table(self, answer: MatchedSessions) -> Table:
        """Return a row for each session."""
        rows = records_by(SESSION, answer.sessions)
        return table_of(tuple(SESSION), map(self.reader.shown, rows))


def goal_at(directory: Directory, site_id: int, goal_id: int | None) -> GoalRecord:
    """Return a goal of a site in a state.

    Raises:
        GoalNotFound: the site has no such goal in this state.

    """
    record = None if goal_id is None else directory.goal(goal_id)
    if record is None or record.goal.site_id != site_id:
        raise GoalNotFound
    return record


def _goal_row(report: GoalReport) -> dict[str, Any]:
    rule = rule_document(report.goal.rule)
    return {
        "goalId": report.goal.goal_id,
        "name": report.goal.name,
        "goalType": rule["goalType"],
        **rule["config"],
        "createdAt": report.created_at,
        **conversion_figures(report.conversions),
        "total_sessions_with_pageviews": report.conversions.sessions_with_pageviews,
        "setAside": report.conversions.set_aside,
    }
