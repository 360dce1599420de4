"""What reports on errors are asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.access.disclosure import Reader
from footfall.application.journal.directory import Directory
from footfall.application.ports.errors.error_groups import CostQuery, GroupPage
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.error_costs import MOST_GROUPS, latest_deploys, unchanged_goal
from footfall.application.reports.exploration_tables import cost_figures_table, group_figures_table
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import Table, error_buckets_table, errors_table, occurrences_table
from footfall.domain.error_tracking.aggregation import ErrorBucket
from footfall.domain.error_tracking.cost import ErrorCost
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import GroupChoice, GroupSort
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import EVERY_ROW, RowChoice


@frozen
class ErrorNamesInquiry(Inquiry[SummaryPage]):
    """The messages of errors."""

    choice: RowChoice = EVERY_ROW
    page: Page = ROWS
    keys = ("value",)
    has_history = True

    @property
    def is_cheap(self) -> bool:
        """Whether the store has counted them."""
        return not self.query.filters

    async def ask(self, reports: ReportSet, site_id: int) -> SummaryPage:
        """Return the messages, the most frequent first."""
        period, filters = self.query.period, self.query.filters
        return await reports.errors.summarize(site_id, period, self.page, filters, choice=self.choice)

    def table(self, found: SummaryPage) -> Table:
        """Return a row for each message."""
        return errors_table(found.summaries)


@frozen
class NewErrorsInquiry(ErrorNamesInquiry):
    """The messages first seen in the period, which nothing searches."""

    async def ask(self, reports: ReportSet, site_id: int) -> SummaryPage:
        """Return the messages, the latest first."""
        return await reports.errors.new(site_id, self.query.period, self.page, self.query.filters)


@frozen
class OccurrencesInquiry(Inquiry[OccurrencePage]):
    """The occurrences of one error, as a reader may see them."""

    message: str
    reader: Reader
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS

    async def ask(self, reports: ReportSet, site_id: int) -> OccurrencePage:
        """Return the occurrences, the newest first."""
        period, filters = self.query.period, self.query.filters
        return await reports.errors.occurrences(
            site_id, self.message, period, self.page, filters, choice=self.choice
        )

    def table(self, found: OccurrencePage) -> Table:
        """Return a row for each occurrence."""
        return occurrences_table(found.occurrences, self.reader)


@frozen
class ErrorGroupsInquiry(Inquiry[GroupPage]):
    """The groups of errors, as decisions merge them; other decisions about groups change no figure."""

    merged: Mapping[str, str]
    containing: str = ""
    keys = ("id",)

    async def ask(self, reports: ReportSet, site_id: int) -> GroupPage:
        """Return the groups."""
        return await reports.error_groups.groups(
            site_id,
            self.query.period,
            ErrorDecisions(merged=self.merged),
            ROWS,
            filters=self.query.filters,
            choice=GroupChoice(containing=self.containing),
        )

    def table(self, found: GroupPage) -> Table:
        """Return a row for each group."""
        return group_figures_table(found.summaries)


@frozen
class ErrorBucketsInquiry(Inquiry[list[ErrorBucket]]):
    """The occurrences of one error, or of all, in each bucket."""

    size: BucketSize
    zone: ZoneInfo
    message: str | None = None
    keys = ("time",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[ErrorBucket]:
        """Return the number of each bucket."""
        query = self.query
        return await reports.errors.buckets(
            site_id, query.period, self.size, self.zone, message=self.message, filters=query.filters
        )

    def table(self, found: list[ErrorBucket]) -> Table:
        """Return a row for each bucket."""
        return error_buckets_table(found)


@frozen
class ErrorCostsInquiry(Inquiry[list[ErrorCost]]):
    """What groups of errors cost a goal: one group, or those that most sessions met.

    The times of `deploys` divide the sessions that are compared, so that the mark of a deploy changes an estimate.
    """

    goal: GoalQuery
    merged: Mapping[str, str]
    deploys: Sequence[datetime] = ()
    group: str | None = None
    keys = ("id",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[ErrorCost]:
        """Return the cost of each group."""
        decisions, query = ErrorDecisions(merged=self.merged), self.query
        choice = GroupChoice()
        if self.group is not None:
            choice = GroupChoice(frozenset({decisions.group_of(self.group)}), but=False)
        found = await reports.error_groups.groups(
            site_id,
            query.period,
            decisions,
            Page(1, MOST_GROUPS),
            filters=query.filters,
            sort=GroupSort.SESSIONS,
            choice=choice,
        )
        groups = [one.group for one in found.summaries]
        asked = CostQuery(self.goal, query.period, query.filters, self.deploys)
        return await reports.error_groups.costs(site_id, groups, asked, decisions) if groups else []

    def table(self, found: list[ErrorCost]) -> Table:
        """Return a row for each group."""
        return cost_figures_table(found)


def error_costs_inquiry(
    query: ReportQuery, states: tuple[Directory, Directory], site_id: int, goal_id: int, group: str | None
) -> ErrorCostsInquiry:
    """Return what is asked about the costs of errors in the first state; the second one is the present.

    Raises:
        GoalNotFound: there is no such goal on the site in the first state.
        Invalid: the rule of the goal is another one now, or it was deleted; the error names `goal`.

    """
    then, now = states
    goal = unchanged_goal(then, now, site_id, goal_id)
    deploys = tuple(one.at for one in latest_deploys(then, site_id, query.period))
    return ErrorCostsInquiry(query, goal, then.error_decisions(site_id).merged, deploys, group)
