"""Breakdowns compared with another period: row by row, and by what changed most.

See docs/read/breakdowns.md#comparison.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownPage, BreakdownReports
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.breakdown_changes import Movement, certain_movers
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery

# The number of largest values that are read first, and its growth when they do not suffice.
_FIRST = 200
_GROWTH = 8


@frozen
class RowsBefore:
    """The same rows in the period that a page is compared with, by their values; `count` is of all values there."""

    rows: Mapping[str, BreakdownRow]
    count: int


@frozen
class ComparedRows:
    """Values of a period, and the count of all; every value that is not among them has at most `others`."""

    rows: Sequence[BreakdownRow]
    count: int
    others: int


@frozen
class Movers:
    """The values that changed most, and the totals of both periods."""

    movements: Sequence[Movement]
    count: int
    before: int


async def earlier_rows(
    breakdowns: BreakdownReports,
    site_id: int,
    by: str,
    query: ReportQuery,
    shown: BreakdownPage,
    *,
    goal: GoalQuery | None = None,
    groups: PageGroups = UNGROUPED,
) -> RowsBefore:
    """Return the rows of a page in another period, each with its rank there and, with a goal, its conversions.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    values = tuple(row.value for row in shown.rows)
    page = Page(1, max(1, len(values)))
    choice = RowChoice(among=values)
    earlier = await breakdowns.break_down(site_id, by, query, page, goal=goal, choice=choice, groups=groups)
    return RowsBefore({row.value: row for row in earlier.rows}, earlier.count)


async def largest_movers(
    breakdowns: BreakdownReports,
    site_id: int,
    by: str,
    window: ReportPeriod,
    filters: Sequence[Filter],
    limit: int,
    *,
    groups: PageGroups = UNGROUPED,
    first: int = _FIRST,
) -> Movers:
    """Return the values that changed most between both periods, exactly.

    Only the `first` largest values of each period are read, and more of them while one that was not read could have
    changed more: a difference is never larger than the larger one of both counts.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    size = max(first, limit)
    while True:
        now, before = await both_periods(breakdowns, site_id, by, window, filters, size, groups=groups)
        certain = certain_movers((now.rows, before.rows), max(now.others, before.others), limit)
        if certain is not None:
            return Movers(certain, now.count, before.count)
        size *= _GROWTH


async def both_periods(
    breakdowns: BreakdownReports,
    site_id: int,
    by: str,
    window: ReportPeriod,
    filters: Sequence[Filter],
    size: int,
    *,
    groups: PageGroups = UNGROUPED,
) -> list[ComparedRows]:
    """Return the `size` largest values of each of both periods, each with its count in both.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    ask = partial(breakdowns.break_down, site_id, by, groups=groups)
    queries = [ReportQuery(period, filters) for period in (window.period, window.before)]
    pages = [await ask(query, Page(1, size)) for query in queries]
    rows = [await _completed(ask, query, pages, page) for query, page in zip(queries, pages, strict=True)]
    return [
        ComparedRows(of_both, page.count, page.rows[-1].count if page.values > len(page.rows) else 0)
        for of_both, page in zip(rows, pages, strict=True)
    ]


async def _completed(
    ask: Callable[..., Awaitable[BreakdownPage]],
    query: ReportQuery,
    pages: Sequence[BreakdownPage],
    page: BreakdownPage,
) -> list[BreakdownRow]:
    """Return the rows of a page of a period, and there the values that only the other page has."""
    values = {row.value for row in page.rows}
    missing = tuple(row.value for either in pages for row in either.rows if row.value not in values)
    if page.values <= len(page.rows) or not missing:
        return list(page.rows)
    more = await ask(query, Page(1, len(missing)), choice=RowChoice(among=missing))
    return [*page.rows, *more.rows]
