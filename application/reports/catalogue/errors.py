"""What reports on errors are asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from attrs import field, frozen

from footfall.application.access.disclosure import Reader
from footfall.application.journal.directory import Directory
from footfall.application.ports.errors.error_groups import CostQuery
from footfall.application.ports.errors.error_reports import OccurrencePage, SummaryPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.error_costs import MOST_GROUPS, CostlyGroup, latest_deploys
from footfall.application.reports.error_groups import GroupList, GroupRequest, list_groups
from footfall.application.reports.exploration_tables import error_costs_table, error_groups_table
from footfall.application.reports.report_query import ReportQuery
from footfall.application.reports.tables import Table, error_buckets_table, errors_table, occurrences_table
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.aggregation import ErrorBucket
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import GroupSort
from footfall.domain.exceptions import ErrorNotFound
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

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return whether the store has counted them."""
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


EVERY_GROUP = GroupRequest(page=ROWS)


def _merged(decisions: ErrorDecisions) -> Mapping[str, str]:
    """Return the decisions that change figures."""
    return decisions.merged


@frozen
class ErrorGroupsInquiry(Inquiry[GroupList]):
    """A page of the groups of errors, with the status of each at a time, as a reader may see them."""

    decisions: ErrorDecisions = field(eq=_merged)
    now: datetime = field(eq=False)
    reader: Reader = field(eq=False)
    request: GroupRequest = EVERY_GROUP
    keys = ("id",)
    has_history = True

    async def ask(self, reports: ReportSet, site_id: int) -> GroupList:
        """Return the page."""
        asked = self.query, self.request, self.now
        return await list_groups(reports.error_groups, self.decisions, site_id, *asked)

    def table(self, found: GroupList) -> Table:
        """Return a row for each group."""
        return error_groups_table(found.groups, self.reader)


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


def _times(deploys: Sequence[Annotation]) -> Sequence[datetime]:
    return [one.at for one in deploys]


@frozen
class ErrorCostsInquiry(Inquiry[Sequence[CostlyGroup]]):
    """What groups of errors cost a goal: one group, or the 20 that most sessions met.

    The times of `deploys` divide the sessions that are compared, so that the mark of a deploy changes an estimate.
    """

    goal: GoalQuery
    decisions: ErrorDecisions = field(eq=_merged)
    now: datetime = field(eq=False)
    reader: Reader = field(eq=False)
    deploys: Sequence[Annotation] = field(default=(), eq=_times)
    group: str | None = None
    keys = ("id",)
    # The first occurrence of a group can lie before the period.
    has_history = True

    async def ask(self, reports: ReportSet, site_id: int) -> Sequence[CostlyGroup]:
        """Return the cost of each group, the most costly first."""
        only = None if self.group is None else frozenset({self.decisions.group_of(self.group)})
        largest = GroupRequest(page=Page(1, MOST_GROUPS), sort=GroupSort.SESSIONS, only=only)
        asked = self.query, largest, self.now
        found = await list_groups(reports.error_groups, self.decisions, site_id, *asked)
        listed = {one.summary.group: one for one in found.groups}
        if not listed:
            return []
        period, filters = self.query.period, self.query.filters
        query = CostQuery(self.goal, period, filters, _times(self.deploys))
        costs = await reports.error_groups.costs(site_id, list(listed), query, self.decisions)
        return [CostlyGroup(listed[cost.group], cost) for cost in costs]

    def table(self, found: Sequence[CostlyGroup]) -> Table:
        """Return a row for each group."""
        return error_costs_table(found, self.reader)


@frozen
class ErrorGroupCostInquiry(ErrorCostsInquiry):
    """What one group of errors costs a goal."""

    async def ask(self, reports: ReportSet, site_id: int) -> Sequence[CostlyGroup]:
        """Return the cost.

        Raises:
            ErrorNotFound: the group did not occur in the period.

        """
        found = await super().ask(reports, site_id)
        if not found:
            raise ErrorNotFound
        return found


def error_costs_inquiry(
    query: ReportQuery,
    goal: GoalQuery,
    directory: Directory,
    reader: Reader,
    now: datetime,
    group: str | None = None,
    *,
    kind: type[ErrorCostsInquiry] = ErrorCostsInquiry,
) -> ErrorCostsInquiry:
    """Return what is asked about the costs of errors in a state: those of a group, or of the largest ones."""
    decisions = directory.error_decisions(reader.site_id)
    deploys = latest_deploys(directory, reader.site_id, query.period)
    return kind(query, goal, decisions, now, reader, deploys, group)
