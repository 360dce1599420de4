"""What errors cost a goal: one group, or the groups that most sessions met, the most costly first."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.ports.errors.error_groups import CostQuery, ErrorGroupReports
from footfall.application.reports.error_groups import GroupRequest, ListedGroup, list_groups
from footfall.application.reports.goal_list import ReportQuery
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.cost import ErrorCost
from footfall.domain.error_tracking.grouping import GroupSort
from footfall.domain.exceptions import ErrorNotFound, GoalNotFound, Invalid
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period

# The groups of a list, and the latest deploys of a period: each of both makes the answer larger.
MOST_GROUPS = 20
MOST_DEPLOYS = 10


@frozen
class CostlyGroup:
    """A group with what it costs."""

    listed: ListedGroup
    cost: ErrorCost


@frozen
class CostReport:
    """The costs of groups, and the marks of the deploys that divide the period, by time."""

    groups: Sequence[CostlyGroup]
    deploys: Sequence[Annotation]


@frozen(kw_only=True)
class CostRequest:
    """The site, the goal, period and filters that costs are asked for."""

    site_id: int
    goal: GoalQuery
    query: ReportQuery
    now: datetime


async def list_costs(reports: ErrorGroupReports, directory: Directory, request: CostRequest) -> CostReport:
    """Return the costs of the 20 groups that most sessions of the period met, the most costly first.

    Raises:
        GoalSetAside: the goal is not counted.
        StoreUnavailable: the store does not answer, or the past of the goal is still being counted.
        Invalid: a regular expression among the filters takes too long.

    """
    asked = GroupRequest(query=request.query, page=Page(1, MOST_GROUPS), sort=GroupSort.SESSIONS)
    decisions = directory.error_decisions(request.site_id)
    found = await list_groups(reports, decisions, request.site_id, asked, request.now)
    return await _report(reports, directory, request, found.groups)


async def cost_of_group(
    reports: ErrorGroupReports, directory: Directory, request: CostRequest, fingerprint: str
) -> CostReport:
    """Return the cost of the group that a fingerprint is part of, alone.

    Raises:
        ErrorNotFound: the group did not occur in the period.
        GoalSetAside, StoreUnavailable, Invalid: as `list_costs` does.

    """
    decisions = directory.error_decisions(request.site_id)
    alone = GroupRequest(
        query=request.query, page=Page(1, 1), only=frozenset({decisions.group_of(fingerprint)})
    )
    found = await list_groups(reports, decisions, request.site_id, alone, request.now)
    if not found.groups:
        raise ErrorNotFound
    return await _report(reports, directory, request, found.groups)


async def _report(
    reports: ErrorGroupReports, directory: Directory, request: CostRequest, groups: Sequence[ListedGroup]
) -> CostReport:
    period = request.query.period
    deploys = latest_deploys(directory, request.site_id, period)
    query = CostQuery(
        request.goal,
        period,
        request.query.filters,
        [one.at for one in deploys],
    )
    listed = {one.summary.group: one for one in groups}
    decisions = directory.error_decisions(request.site_id)
    costs = await reports.costs(request.site_id, list(listed), query, decisions) if listed else []
    return CostReport([CostlyGroup(listed[cost.group], cost) for cost in costs], deploys)


def latest_deploys(directory: Directory, site_id: int, period: Period) -> Sequence[Annotation]:
    """Return the marks of the latest deploys of a period, by time: they divide the sessions that are compared."""
    marks = [one for one in directory.annotations(site_id).within(period) if one.release is not None]
    return marks[-MOST_DEPLOYS:]


def unchanged_goal(
    then: Directory, now: Directory, site_id: int, goal_id: int, *, name: str = "goal"
) -> GoalQuery:
    """Return a goal of some state as it is counted now: for costs the store knows conversions by present rules alone.

    A goal that was changed and set back has the rule that it had, so that its present conversions are those of then.

    Raises:
        GoalNotFound: there is no such goal on the site in the earlier state.
        Invalid: its rule is another one now, or it was deleted; the error names the parameter `name`.

    """
    goal = then.goal(goal_id)
    if goal is None or goal.goal.site_id != site_id:
        raise GoalNotFound
    present = now.goal(goal_id)
    if present is None or present.query.rule != goal.query.rule:
        fault = "the goal was changed or deleted since; costs are known of goals that are as they were"
        raise Invalid({name: [fault]})
    return present.query
