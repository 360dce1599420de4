"""Goals: their definition and the commands and events of their life."""

import json

from attrs import evolve, frozen

from footfall.domain.exceptions import GoalNotFound, Invalid, existing, require_valid
from footfall.domain.number import MOST_EXACT
from footfall.domain.paths.page_groups import MAX_GROUP_NAME, UNGROUPED, PageGroups
from footfall.domain.paths.path_pattern import MAX_PATH_PATTERN, path_pattern_error, rooted
from footfall.domain.text import named_after, required_text, shown_name, text_fault

MAX_NAME = 255
MAX_EVENT_NAME = 256
MAX_PROPERTY = 8192
MAX_GOALS = 200

# A text and a number of the same decimal value are equal, so a text can express numbers beyond the range of doubles.
_TOO_LARGE = (
    f"must be a number from -{MOST_EXACT} to {MOST_EXACT}, beyond which digits are lost: send it as a text"
)

Scalar = str | int | float | bool


@frozen
class PathRule:
    """Satisfied by pageviews whose path matches a pattern, optionally with one property of one value.

    The rules are in docs/read/reports.md#goals.
    """

    path_pattern: str
    property_key: str | None = None
    property_value: Scalar | None = None


@frozen
class EventRule:
    """Satisfied by custom events of one name, optionally with one property of one value.

    See docs/read/reports.md#goals.
    """

    event_name: str
    property_key: str | None = None
    property_value: Scalar | None = None


@frozen
class PageGroupRule:
    """Satisfied by pageviews of a group of pages (docs/read/page-groups.md).

    The `groups` are those of the site in the state that is asked about, which no event of a goal has.
    """

    group: str
    groups: PageGroups = UNGROUPED


# Rules of hits that can have a property, too.
HitRule = PathRule | EventRule
Rule = HitRule | PageGroupRule


@frozen
class GoalQuery:
    """A rule to count by, and the journal position since which a goal has it; None for a rule that no store counts.

    These are rules without a goal, and those by a group of pages, which change with the groups.
    """

    rule: Rule
    version: int | None = None


@frozen
class GoalDefined:
    """A goal was defined on a site."""

    goal_id: int
    site_id: int
    name: str
    rule: Rule


@frozen
class GoalRedefined:
    """The name and rule of a goal were replaced; the whole history counts by the new rule."""

    name: str
    rule: Rule


@frozen
class GoalDeleted:
    """A goal was deleted; deletion is final."""


GoalEvent = GoalDefined | GoalRedefined | GoalDeleted


@frozen(kw_only=True)
class Goal:
    """The state of a goal that decisions need; a goal that was never defined, or was deleted, is None."""

    goal_id: int
    site_id: int
    name: str
    rule: Rule


def path_rule(pattern: str, key: str | None = None, value: Scalar | None = None) -> PathRule:
    """Return the rule for a path pattern; a missing leading slash is added.

    Key and value of a property of the pageview are either both given or both absent.

    Raises:
        Invalid: the pattern exceeds a limit of matching, or a part is missing, too long or cannot be stored; the errors
            name the fields of `config`.

    """
    pattern = rooted(required_text("config.pathPattern", pattern, maximum=MAX_PATH_PATTERN))
    errors = _property_errors("pageProperty", key, value)
    if error := path_pattern_error(pattern):
        errors["config.pathPattern"] = [error]
    require_valid(errors)
    return PathRule(pattern, key, value)


def event_rule(name: str, key: str | None = None, value: Scalar | None = None) -> EventRule:
    """Return the rule for a custom event; key and value are either both given or both absent.

    Raises:
        Invalid: a part is missing, too long or cannot be stored; the errors name the fields of `config`.

    """
    if errors := _event_rule_errors(name, key, value):
        raise Invalid(errors)
    return EventRule(name, key, value)


def group_rule(name: str) -> PageGroupRule:
    """Return the rule for a group of pages.

    Raises:
        Invalid: the name is missing or too long, or cannot be stored; the error names `config.pageGroup`.

    """
    return PageGroupRule(required_text("config.pageGroup", name, maximum=MAX_GROUP_NAME))


def with_groups(rule: Rule, groups: PageGroups) -> Rule:
    """Return a rule as the groups of pages of a site give it its meaning."""
    return evolve(rule, groups=groups) if isinstance(rule, PageGroupRule) else rule


def define(goal_id: int, *, site_id: int, name: str | None, rule: Rule) -> list[GoalEvent]:
    """Define a new goal; the default name describes the rule.

    Raises:
        Invalid: the name is longer than 255 characters, or `shown_name` refuses it.

    """
    return [GoalDefined(goal_id, site_id, _name(name, rule), rule)]


def redefine(state: Goal | None, *, name: str | None, rule: Rule) -> list[GoalEvent]:
    """Replace the name and rule of the goal; unchanged values give no event.

    Raises:
        GoalNotFound: the goal does not exist.
        Invalid: the name is longer than 255 characters, or `shown_name` refuses it.

    """
    state = existing(state, GoalNotFound)
    name = _name(name, rule)
    if (name, rule) == (state.name, state.rule) and _same_kind(rule, state.rule):
        return []
    return [GoalRedefined(name, rule)]


def delete(state: Goal | None) -> list[GoalEvent]:
    """Delete the goal; deletion is final.

    Raises:
        GoalNotFound: the goal does not exist or is already deleted.

    """
    existing(state, GoalNotFound)
    return [GoalDeleted()]


def apply(state: Goal | None, event: GoalEvent) -> Goal | None:
    """Return the state after an event; accepts every event of the history."""
    match event:
        case GoalDefined(goal_id, site_id, name, rule):
            return Goal(goal_id=goal_id, site_id=site_id, name=name, rule=rule)
        case GoalRedefined(name, rule):
            return None if state is None else evolve(state, name=name, rule=rule)
        case GoalDeleted():
            return None


def describe(rule: Rule) -> str:
    """Return a short description of the rule for people."""
    if isinstance(rule, PageGroupRule):
        return rule.group
    name = rule.path_pattern if isinstance(rule, PathRule) else rule.event_name
    if rule.property_key is None:
        return name
    return f"{name} ({rule.property_key}: {json.dumps(rule.property_value, ensure_ascii=False)})"


def _name(name: str | None, rule: Rule) -> str:
    if name is None:
        return named_after(describe(rule)[:MAX_NAME])
    return shown_name("name", name, maximum=MAX_NAME)


def _event_rule_errors(name: str, key: str | None, value: Scalar | None) -> dict[str, list[str]]:
    errors = _property_errors("eventProperty", key, value)
    if error := text_fault(name, maximum=MAX_EVENT_NAME):
        errors["config.eventName"] = [error]
    if not name:
        errors["config.eventName"] = [f"must have 1 to {MAX_EVENT_NAME} characters"]
    return errors


def _property_errors(name: str, key: str | None, value: Scalar | None) -> dict[str, list[str]]:
    """Return the faults of a property and its value by the names of their fields, which begin with `name`."""
    fields = {"Key": key, "Value": value}
    errors = {
        f"config.{name}{part}": [error]
        for part, text in fields.items()
        if isinstance(text, str) and (error := text_fault(text, maximum=MAX_PROPERTY))
    }
    if isinstance(value, int | float) and not abs(value) <= MOST_EXACT:
        errors[f"config.{name}Value"] = [_TOO_LARGE]
    if key == "":
        errors[f"config.{name}Key"] = [f"must have 1 to {MAX_PROPERTY} characters"]
    if (key is None) != (value is None):
        missing = "Key" if key is None else "Value"
        errors[f"config.{name}{missing}"] = [f"{name}Key and {name}Value come together or not at all"]
    return errors


def _same_kind(left: Rule, right: Rule) -> bool:
    if isinstance(left, PageGroupRule) or isinstance(right, PageGroupRule):
        return type(left) is type(right)
    # 1 == True in Python, but the property values 1 and true differ.
    return type(left.property_value) is type(right.property_value)
