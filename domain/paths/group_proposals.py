"""Proposals of groups of pages: paths that differ by ids in the same segments (docs/page-groups.md#proposals)."""

import re
from collections import defaultdict
from collections.abc import Mapping

from attrs import frozen

from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.paths.path_pattern import path_pattern_error

LEAST_PATHS = 3
MOST_PROPOSALS = 10
# Whole numbers, UUIDs, long hexadecimal numbers, and long texts of letters and digits.
_ID = re.compile(
    r"[0-9]+"
    r"|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    r"|(?=[^0-9]*[0-9])[0-9A-Fa-f]{8,}"
    r"|(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[0-9A-Za-z_-]{20,}"
)


@frozen(kw_only=True)
class GroupProposal:
    """A pattern of paths that no group has yet: how many there are, and how often they were viewed."""

    pattern: str
    paths: int
    pageviews: int


def proposals(pageviews: Mapping[str, int], groups: PageGroups) -> list[GroupProposal]:
    """Return what may be a group of its own, most viewed first: three or more paths that differ by ids only."""
    found = defaultdict[str, list[int]](list)
    for path, count in pageviews.items():
        pattern = "/".join("*" if _ID.fullmatch(segment) else segment for segment in path.split("/"))
        if (
            pattern != path
            and "*" not in path
            and groups.of(path) is None
            and not path_pattern_error(pattern)
        ):
            found[pattern].append(count)
    many = [
        GroupProposal(pattern=pattern, paths=len(counts), pageviews=sum(counts))
        for pattern, counts in found.items()
        if len(counts) >= LEAST_PATHS
    ]
    return sorted(many, key=lambda one: (-one.pageviews, one.pattern))[:MOST_PROPOSALS]
