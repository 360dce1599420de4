"""What reports on errors are asked in each state that an explanation compares (docs/citations.md#which-reports)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.citations.inquiries import ROWS, RowReport
from footfall.application.journal.directory import Directory
from footfall.application.ports.errors.error_groups import CostQuery
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.error_costs import MOST_GROUPS, latest_deploys, unchanged_goal
from footfall.application.reports.exploration_tables import cost_figures_table, group_figures_table
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import Table, error_buckets_table, errors_table
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import GroupChoice, GroupSort
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize

ERROR_NAMES = RowReport(
    "value", lambda reports: reports.errors.summarize, lambda found: errors_table(found.summaries)
)


@frozen
class ErrorGroupsInquiry:
    """The groups of errors, as decisions merge them; other decisions about groups change no figure."""

    query: ReportQuery
    merged: Mapping[str, str]
    containing: str = ""
    keys: Sequence[str] = ("id",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each group."""
        found = await reports.error_groups.groups(
            site_id,
            self.query.period,
            ErrorDecisions(merged=self.merged),
            ROWS,
            filters=self.query.filters,
            choice=GroupChoice(containing=self.containing),
        )
        return group_figures_table(found.summaries)


@frozen
class ErrorBucketsInquiry:
    """The occurrences of one error, or of all, in each bucket."""

    query: ReportQuery
    size: BucketSize
    zone: ZoneInfo
    message: str | None = None
    keys: Sequence[str] = ("time",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each bucket."""
        found = await reports.errors.buckets(
            site_id,
            self.query.period,
            self.size,
            self.zone,
            message=self.message,
            filters=self.query.filters,
        )
        return error_buckets_table(found)


@frozen
class ErrorCostsInquiry:
    """What groups of errors cost a goal: one group, or those that most sessions met.

    The times of `deploys` divide the sessions that are compared, so that the mark of a deploy changes an estimate.
    """

    query: ReportQuery
    goal: GoalQuery
    merged: Mapping[str, str]
    deploys: Sequence[datetime] = ()
    group: str | None = None
    keys: Sequence[str] = ("id",)

    async def table(self, reports: ReportSet, site_id: int) -> Table:
        """Return a row for each group."""
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
        costs = await reports.error_groups.costs(site_id, groups, asked, decisions) if groups else []
        return cost_figures_table(costs)


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
