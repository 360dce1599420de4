"""The list of a site's goals: sorted, cut into pages, and counted."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.journal.directory_records import GoalRecord
from footfall.application.ports.reports.reports import GoalReports
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.conversion import Conversions, GoalOrder, GoalReport, GoalSort, sort_goals
from footfall.domain.traffic.filters import Filter

_BY_METRIC = (GoalSort.TOTAL_CONVERSIONS, GoalSort.CONVERSION_RATE)


@frozen
class ReportQuery:
    """The period of a report, and the filters that select its sessions."""

    period: Period
    filters: Sequence[Filter] = ()


async def list_goals(
    goals: Sequence[GoalRecord],
    reports: GoalReports,
    site_id: int,
    query: ReportQuery,
    *,
    order: GoalOrder,
    page: Page,
) -> list[GoalReport]:
    """Return one page of the goals of a site with their conversions.

    Only the goals on the page are counted, unless the list is sorted by a count.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    if order.sort in _BY_METRIC:
        return list(page.of(sort_goals(await _counted(goals, reports, site_id, query), order)))
    uncounted = [GoalReport(record.goal, record.created_at, Conversions(0, 0)) for record in goals]
    chosen = page.of(sort_goals(uncounted, order))
    by_id = {record.goal.goal_id: record for record in goals}
    return await _counted([by_id[one.goal.goal_id] for one in chosen], reports, site_id, query)


async def _counted(
    goals: Sequence[GoalRecord], reports: GoalReports, site_id: int, query: ReportQuery
) -> list[GoalReport]:
    queries = [record.query for record in goals]
    if not queries:
        return []
    conversions = await reports.count_conversions(site_id, queries, query.period, query.filters)
    return [
        GoalReport(record.goal, record.created_at, one)
        for record, one in zip(goals, conversions, strict=True)
    ]
