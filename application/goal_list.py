"""The list of a site's goals: sorted, cut into pages, and counted."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.directory import ListedGoal
from footfall.application.reports import AskedGoal, GoalReports
from footfall.domain.conversion import Conversions, GoalOrder, GoalReport, GoalSort, sort_goals
from footfall.domain.filter import Filter
from footfall.domain.page import Page
from footfall.domain.period import Period

_BY_METRIC = (GoalSort.TOTAL_CONVERSIONS, GoalSort.CONVERSION_RATE)


@frozen
class Question:
    """What a report is about: a period, and the sessions that filters select."""

    period: Period
    filters: Sequence[Filter] = ()


async def list_goals(
    goals: Sequence[ListedGoal],
    reports: GoalReports,
    site_id: int,
    question: Question,
    *,
    order: GoalOrder,
    page: Page,
) -> list[GoalReport]:
    """Return one page of the goals of a site with their conversions.

    Only the goals on the page are counted, unless it takes the counts of all to know which ones those are.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    if order.sort in _BY_METRIC:
        return list(page.of(sort_goals(await _counted(goals, reports, site_id, question), order)))
    uncounted = [GoalReport(listed.goal, listed.created_at, Conversions(0, 0)) for listed in goals]
    chosen = page.of(sort_goals(uncounted, order))
    by_id = {listed.goal.goal_id: listed for listed in goals}
    return await _counted([by_id[one.goal.goal_id] for one in chosen], reports, site_id, question)


async def _counted(
    goals: Sequence[ListedGoal], reports: GoalReports, site_id: int, question: Question
) -> list[GoalReport]:
    asked = [AskedGoal(listed.goal.rule, listed.defined_at_position) for listed in goals]
    if not asked:
        return []
    conversions = await reports.count_conversions(site_id, asked, question.period, question.filters)
    return [
        GoalReport(listed.goal, listed.created_at, one)
        for listed, one in zip(goals, conversions, strict=True)
    ]
