"""Groups of pages: paths under one name, by the first pattern in an order that they match.

See docs/read/page-groups.md.
"""

from collections.abc import Callable
from functools import cached_property, lru_cache

from attrs import frozen

from footfall.domain.paths.path_pattern import path_matcher

MAX_GROUP_NAME = 100


@frozen
class GroupRule:
    """A pattern of paths, and the name of the group of the paths that match it."""

    name: str
    pattern: str


@frozen
class PageGroups:
    """Rules in their order: a path belongs to the group of the first one that it matches, or to none.

    Its methods say what that means. Their time can grow with a power of the length of a path.
    """

    rules: tuple[GroupRule, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the groups, each once, in the order of their rules."""
        return tuple(dict.fromkeys(rule.name for rule in self.rules))

    def place_of(self, path: str) -> int | None:
        """Return the place of the first rule that a path matches; None without one."""
        return next((place for place, matches in enumerate(_matchers(self)) if matches(path)), None)

    def of(self, path: str) -> str | None:
        """Return the name of the group of a path; None without one."""
        place = self.place_of(path)
        return None if place is None else self.rules[place].name

    def pattern_of(self, name: str) -> str | None:
        """Return the pattern that exactly the paths of a group match; None where none is known to.

        It is that of the only rule of the group, if no earlier rule can have some of its paths.
        """
        patterns = [rule.pattern for rule in self.rules if rule.name == name]
        return patterns[0] if len(patterns) == 1 and self.rules[0].name == name else None

    def shown(self, path: str) -> str:
        """Return what a path is listed as: its group, or itself."""
        return self.of(path) or path


UNGROUPED = PageGroups()


@lru_cache(maxsize=256)
def _matchers(groups: PageGroups) -> tuple[Callable[[str], bool], ...]:
    return tuple(path_matcher(rule.pattern) for rule in groups.rules)
