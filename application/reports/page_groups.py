"""What rules of groups of pages do to the paths of a site (docs/read/page-groups.md#what-if)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownPage, BreakdownReports
from footfall.application.reports.tables import MAX_ROWS
from footfall.application.reports.turns.matching_time import MATCHING_SECONDS, within_seconds
from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page
from footfall.domain.paths.group_proposals import GroupProposal, proposals
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.report_query import ReportQuery

EXAMPLES = 5
_PATHS = Page(1, MAX_ROWS)
# Fifty rules without a common beginning take some tenths of a second for 10,000 paths.
_TOO_SLOW = (
    f"patterns have {MATCHING_SECONDS:g} seconds in all, which do not suffice for the paths of this period: use fewer"
    " wildcards"
)


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
    breakdowns: BreakdownReports,
    site_id: int,
    groups: PageGroups,
    query: ReportQuery,
    compile_patterns: PatternCompiler,
    seconds: float = MATCHING_SECONDS,
) -> GroupingEffect:
    """Return which of the paths of a period, of the 10,000 most viewed, fall into which group.

    Raises:
        Invalid: the patterns take too long; the error names `groups`.
        StoreUnavailable: the store does not answer.

    """
    listed = await breakdowns.break_down(site_id, "pathname", query, _PATHS)
    return await asyncio.to_thread(_effect, listed, groups, compile_patterns, seconds)


def _effect(
    listed: BreakdownPage, groups: PageGroups, compile_patterns: PatternCompiler, seconds: float
) -> GroupingEffect:
    pageviews = {row.value: row.count for row in listed.rows}
    in_time = within_seconds(pageviews, seconds, Invalid({"groups": [_TOO_SLOW]}))
    places = _places(groups, in_time, compile_patterns)
    by_rule: dict[int | None, list[BreakdownRow]] = {}
    for row in listed.rows:
        by_rule.setdefault(places.get(row.value), []).append(row)
    return GroupingEffect(
        rules=[_paths(rule, by_rule.get(place, [])) for place, rule in enumerate(groups.rules)],
        others=_paths(None, by_rule.get(None, [])),
        proposals=proposals({path: count for path, count in pageviews.items() if path not in places}),
        read=len(listed.rows),
        total=listed.values,
    )


def _places(groups: PageGroups, paths: Iterable[str], compile_patterns: PatternCompiler) -> Mapping[str, int]:
    """Return the places of the first rules that paths match, as `place_of` does."""
    places = dict[str, int]()
    matchers = [compile_patterns((rule.pattern,)) for rule in groups.rules]
    for path in paths:
        first = next((place for place, matches in enumerate(matchers) if matches(path)), None)
        if first is not None:
            places[path] = first
    return places


def _paths(rule: GroupRule | None, rows: Sequence[BreakdownRow]) -> GroupedPaths:
    return GroupedPaths(rule, len(rows), sum(row.count for row in rows), rows[:EXAMPLES])
