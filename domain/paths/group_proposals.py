"""Proposals of groups of pages: paths that differ by ids in the same segments (docs/read/page-groups.md#proposals)."""

import re
from collections import defaultdict
from collections.abc import Mapping

from attrs import frozen

from footfall.domain.paths.path_pattern import path_matcher, path_pattern_error

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
    """A pattern, how many paths of no group match it, and how often these were viewed."""

    pattern: str
    paths: int
    pageviews: int


def proposals(pageviews: Mapping[str, int]) -> list[GroupProposal]:
    """Return what may be a group of its own, most viewed first, of the pageviews of the paths of no group.

    It is the pattern of three or more paths that differ by ids only, but counts all paths that match it: a `*` at its
    end matches any rest.
    """
    numbers = defaultdict[str, list[int]](list)
    for path, count in pageviews.items():
        pattern = "/".join("*" if _ID.fullmatch(segment) else segment for segment in path.split("/"))
        if pattern != path and "*" not in path and not path_pattern_error(pattern):
            numbers[pattern].append(count)
    many = {pattern: sum(counts) for pattern, counts in numbers.items() if len(counts) >= LEAST_PATHS}
    most = sorted(many, key=lambda pattern: (-many[pattern], pattern))[:MOST_PROPOSALS]
    counted = [_counted(pattern, pageviews) for pattern in most]
    return sorted(counted, key=lambda proposal: (-proposal.pageviews, proposal.pattern))


def _counted(pattern: str, pageviews: Mapping[str, int]) -> GroupProposal:
    # Python's own expressions take no long time here: each wildcard but the last ends at a slash.
    matches = path_matcher(pattern)
    counts = [count for path, count in pageviews.items() if matches(path)]
    return GroupProposal(pattern=pattern, paths=len(counts), pageviews=sum(counts))
