"""What rules of groups of pages do to the paths of a site (docs/page-groups.md#what-if)."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.reports.report_query import ReportQuery
from footfall.application.reports.tables import MAX_ROWS
from footfall.domain.pagination import Page
from footfall.domain.paths.group_proposals import GroupProposal, proposals
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.traffic.breakdown import BreakdownRow

EXAMPLES = 5
_PATHS = Page(1, MAX_ROWS)


@frozen
class GroupedPaths:
    """The paths that a rule has, as the first one that they match: their number, pageviews, and the most viewed.

    Those that no rule has are listed without one.
    """

    rule: GroupRule | None
    paths: int
    pageviews: int
    examples: Sequence[BreakdownRow]


@frozen(kw_only=True)
class GroupingEffect:
    """The paths of each rule, in order, those of none, and proposals for these.

    Of the `total` of paths, the `read` ones were looked at.
    """

    rules: Sequence[GroupedPaths]
    others: GroupedPaths
    proposals: Sequence[GroupProposal]
    read: int
    total: int


async def grouping_effect(
    breakdowns: BreakdownReports, site_id: int, groups: PageGroups, query: ReportQuery
) -> GroupingEffect:
    """Return which of the paths of a period, of the 10,000 most viewed, fall into which group.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    listed = await breakdowns.break_down(site_id, "pathname", query.period, _PATHS, query.filters)
    by_rule: dict[int | None, list[BreakdownRow]] = {}
    for row in listed.rows:
        by_rule.setdefault(groups.place_of(row.value), []).append(row)
    return GroupingEffect(
        rules=[_paths(rule, by_rule.get(place, [])) for place, rule in enumerate(groups.rules)],
        others=_paths(None, by_rule.get(None, [])),
        proposals=proposals({row.value: row.count for row in by_rule.get(None, [])}, groups),
        read=len(listed.rows),
        total=listed.values,
    )


def _paths(rule: GroupRule | None, rows: Sequence[BreakdownRow]) -> GroupedPaths:
    return GroupedPaths(rule, len(rows), sum(row.count for row in rows), rows[:EXAMPLES])
