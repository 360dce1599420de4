"""The port of reports on groups of errors; the functions of the domain define the results."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.domain.error_tracking.comparable_sessions import ErrorCost
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.group_details import GroupDetails
from footfall.domain.error_tracking.grouping import GroupChoice, GroupHistory, GroupSort, GroupSummary
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.traffic.report_query import ReportQuery

ALL_GROUPS = GroupChoice()


@frozen(kw_only=True)
class CostQuery(ReportQuery):
    """The query of sessions by their start, with the goal that errors may cost them, and deploys by time."""

    goal: GoalQuery
    deploys: Sequence[datetime] = ()


@frozen
class GroupPage:
    """A page of groups, and the number of groups on all pages."""

    summaries: Sequence[GroupSummary]
    total: int


class ErrorGroupReports(Protocol):
    """Reports on the groups of exceptions of one site, as its decisions merge them.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def groups(
        self,
        site_id: int,
        query: ReportQuery,
        decisions: ErrorDecisions,
        page: Page,
        *,
        sort: GroupSort = GroupSort.COUNT,
        choice: GroupChoice = ALL_GROUPS,
    ) -> GroupPage:
        """Return a page of `summarize_groups` over all hits of the site."""

    async def histories(
        self, site_id: int, decisions: ErrorDecisions, groups: Sequence[str]
    ) -> Mapping[str, GroupHistory]:
        """Return those of `group_histories` that belong to these groups; groups that never occurred are absent."""

    async def former_resolutions(self, site_id: int) -> Mapping[str, datetime]:
        """Return `former_resolutions` over all hits of the site and the messages that its journal has as resolved.

        Former versions wrote them there.
        """

    async def details(
        self, site_id: int, group: str, query: ReportQuery, decisions: ErrorDecisions
    ) -> GroupDetails:
        """Return `describe_group` over all hits of the site."""


class ErrorCostReports(Protocol):
    """Reports on what groups of errors of one site cost."""

    async def costs(
        self, site_id: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
    ) -> list[ErrorCost]:
        """Return `error_costs` over all hits of the site.

        Raises:
            GoalSetAside: the goal is not counted, since its pattern takes too long to match.
            StoreUnavailable: the store does not answer.

        """
