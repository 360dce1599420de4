"""Inquiries about groups of errors and their costs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import field, frozen

from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.ports.errors.error_groups import CostQuery
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.error_costs import MOST_GROUPS, CostlyGroup, latest_deploys, lost_values
from footfall.application.reports.error_groups import GroupList, GroupRequest, ListedGroup, list_groups
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.application.reports.tables import Column, Table, records_by, table_by, table_of
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.grouping import GroupSort
from footfall.domain.error_tracking.lost_conversions import Loss
from footfall.domain.exceptions import ErrorNotFound
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.sites.currencies import Currencies
from footfall.domain.traffic.report_query import ReportQuery

GROUP = {
    "id": "summary.group",
    "message": "summary.history.message",
    "errorName": "summary.history.error_name",
    "fileName": "summary.history.file_name",
    "count": "summary.count",
    "sessionCount": "summary.session_count",
    "percentage": "summary.percentage",
    "firstSeen": "summary.history.first_seen",
    "lastSeen": "summary.history.last_seen",
    "firstRelease": "summary.history.first_release",
    "lastRelease": "summary.history.last_release",
    "regressedRelease": "summary.history.regressed_release",
    "status": "status",
}
LOSS = {
    "comparedSessions": "compared",
    "comparedConversions": "compared_converted",
    "otherSessions": "others",
    "otherConversions": "others_converted",
    "conversionsLost": "lost",
    "low": "low",
    "high": "high",
    "costly": "is_costly",
}
_COST = {
    **{name: f"listed.{GROUP[name]}" for name in ("id", "message", "errorName", "status")},
    "sessions": "cost.met.sessions",
    "conversions": "cost.met.converted",
    "conversionRate": "cost.met_rate",
}
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
        parameters = self.query, self.request, self.now
        return await list_groups(reports.error_groups, self.decisions, site_id, *parameters)

    def table(self, answer: GroupList) -> Table:
        """Return a row for each group."""
        columns: dict[str, Column] = {**GROUP, "assignee": self._assignee}
        return table_by(columns, answer.groups)

    def _assignee(self, listed: ListedGroup) -> str | None:
        return listed.decision.assignee if self.reader.belongs else None


def _times(deploys: Sequence[Annotation]) -> Sequence[datetime]:
    return [deploy.at for deploy in deploys]


@frozen
class ErrorCostsInquiry(Inquiry[Sequence[CostlyGroup]]):
    """The costs of groups of errors for a goal: one group, or the 20 that most sessions met.

    The times of `deploys` divide the sessions that are compared, so that the mark of a deploy changes an estimate.
    """

    goal: GoalQuery
    decisions: ErrorDecisions = field(eq=_merged)
    now: datetime = field(eq=False)
    reader: Reader = field(eq=False)
    deploys: Sequence[Annotation] = field(default=(), eq=_times)
    group: str | None = None
    currencies: Currencies = field(factory=dict, eq=False)
    keys = ("id",)
    # The first occurrence of a group can lie before the period.
    has_history = True

    async def ask(self, reports: ReportSet, site_id: int) -> Sequence[CostlyGroup]:
        """Return the cost of each group, the most costly first."""
        only = None if self.group is None else frozenset({self.decisions.group_of(self.group)})
        largest = GroupRequest(page=Page(1, MOST_GROUPS), sort=GroupSort.SESSIONS, only=only)
        parameters = self.query, largest, self.now
        groups = await list_groups(reports.error_groups, self.decisions, site_id, *parameters)
        listed = {group.summary.group: group for group in groups.groups}
        if not listed:
            return []
        query = CostQuery(
            period=self.query.period,
            filters=self.query.filters,
            goal=self.goal,
            deploys=_times(self.deploys),
        )
        costs = await reports.error_costs.costs(site_id, list(listed), query, self.decisions)
        values, conversions = await self._values(reports, site_id)
        return [
            CostlyGroup(listed[cost.group], cost, lost_values(cost.loss, values, conversions))
            for cost in costs
        ]

    async def _values(self, reports: ReportSet, site_id: int) -> tuple[Sequence[GoalValue], int]:
        """Return the money of the goal in the period, and its conversions."""
        query, rule = self.query, self.goal.rule
        if not money_of(rule, self.currencies):
            return (), 0
        counts = await reports.goals.count_conversions(site_id, [self.goal], query)
        values = await goal_values(reports.properties, site_id, rule, self.currencies, query)
        return values, counts[0].conversions

    def table(self, answer: Sequence[CostlyGroup]) -> Table:
        """Return a row for each group."""
        pairs = zip(records_by(_COST, answer), answer, strict=True)
        rows = [{**row, **_loss_row(costly.cost.loss)} for row, costly in pairs]
        return table_of((*_COST, *LOSS), rows)


@frozen
class ErrorGroupCostInquiry(ErrorCostsInquiry):
    """The cost of one group of errors for a goal."""

    async def ask(self, reports: ReportSet, site_id: int) -> Sequence[CostlyGroup]:
        """Return the cost.

        Raises:
            ErrorNotFound: the group did not occur in the period.

        """
        costs = await super().ask(reports, site_id)
        if not costs:
            raise ErrorNotFound
        return costs


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


def _loss_row(loss: Loss | None) -> dict[str, Any]:
    return {} if loss is None else {column: getattr(loss, name) for column, name in LOSS.items()}
