"""The groups of pages of a site: which rules it has, in which order (docs/read/page-groups.md)."""

from collections.abc import Sequence

from attrs import frozen

from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.paths.page_groups import MAX_GROUP_NAME, GroupRule, PageGroups
from footfall.domain.paths.path_pattern import MAX_PATH_PATTERN, path_pattern_error, rooted
from footfall.domain.text import required_text, shown_name

MAX_RULES = 50


@frozen
class PageGroupsArranged:
    """The rules of the groups of pages were replaced, with their order; all history is grouped by the new ones."""

    rules: tuple[GroupRule, ...]


def arrange(state: PageGroups, rules: Sequence[GroupRule]) -> list[PageGroupsArranged]:
    """Decide the rules of the groups of pages, in their order; unchanged ones give no event.

    Raises:
        Invalid: as `checked` does.

    """
    groups = checked(rules)
    return [] if groups == state else [PageGroupsArranged(groups.rules)]


def checked(rules: Sequence[GroupRule]) -> PageGroups:
    """Return rules as groups, with surrounding white space taken away and patterns that begin with a slash.

    Raises:
        Invalid: there are too many rules, `shown_name` refuses a name, a name looks like the path of another pattern,
            or a pattern is not accepted; the errors name `groups`, `groups[0].name` and `groups[0].pattern`.

    """
    if len(rules) > MAX_RULES:
        raise Invalid({"groups": [f"must be at most {MAX_RULES} rules"]})
    errors: dict[str, list[str]] = {}
    accepted = [_checked(f"groups[{place}]", rule, errors) for place, rule in enumerate(rules)]
    require_valid(errors)
    return PageGroups(tuple(rule for rule in accepted if rule is not None))


def _checked(place: str, rule: GroupRule, errors: dict[str, list[str]]) -> GroupRule | None:
    try:
        pattern = rooted(required_text(f"{place}.pattern", rule.pattern, maximum=MAX_PATH_PATTERN))
        name = shown_name(f"{place}.name", rule.name, maximum=MAX_GROUP_NAME)
    except Invalid as refusal:
        errors |= refusal.field_errors
        return None
    if error := path_pattern_error(pattern):
        errors[f"{place}.pattern"] = [error]
    # A group is listed beside paths, and none of these may be taken for it.
    if name.startswith("/") and name != pattern:
        errors[f"{place}.name"] = ["must not begin with a slash, unless it is the pattern itself"]
    return GroupRule(name, pattern)
