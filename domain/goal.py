"""A goal: the definition of a conversion, and which hits satisfy it."""

from attrs import evolve, frozen

from footfall.domain.errors import GoalNotFound, Invalid
from footfall.domain.text import required_text, text_fault

MAX_NAME = 255
MAX_PATH_PATTERN = 2048
MAX_EVENT_NAME = 256
MAX_PROPERTY = 8192
MAX_GOALS = 200

Scalar = str | int | float | bool


@frozen
class PathRule:
    """Pageviews whose path matches a pattern (decisions, section 3)."""

    path_pattern: str


@frozen
class EventRule:
    """Custom events of one name, optionally with one property of one value (decisions, section 3)."""

    event_name: str
    property_key: str | None = None
    property_value: Scalar | None = None


Rule = PathRule | EventRule


@frozen
class GoalDefined:
    """A goal came into being on a site."""

    goal_id: int
    site_id: int
    name: str
    rule: Rule


@frozen
class GoalRedefined:
    """The goal became another, as a whole; all history counts by the new rule."""

    name: str
    rule: Rule


@frozen
class GoalDeleted:
    """The goal is gone for good."""


GoalEvent = GoalDefined | GoalRedefined | GoalDeleted


@frozen(kw_only=True)
class Goal:
    """What later decisions about a goal need."""

    goal_id: int = 0
    site_id: int = 0
    name: str = ""
    rule: Rule = PathRule("/")
    deleted: bool = False

    @property
    def exists(self) -> bool:
        """Whether the goal was defined and not deleted."""
        return bool(self.goal_id) and not self.deleted


def path_rule(pattern: str) -> PathRule:
    """Return the rule for a path pattern; a missing leading slash is added.

    Raises:
        Invalid: the pattern is empty, too long or cannot be stored; the fault names `config.pathPattern`.

    """
    pattern = required_text("config.pathPattern", pattern, maximum=MAX_PATH_PATTERN)
    return PathRule(pattern if pattern.startswith("/") else f"/{pattern}")


def event_rule(name: str, key: str | None = None, value: Scalar | None = None) -> EventRule:
    """Return the rule for a custom event; key and value come together or not at all.

    Raises:
        Invalid: a part is missing, too long or cannot be stored; the faults name the fields of `config`.

    """
    faults = _event_faults(name, key, value)
    if faults:
        raise Invalid(faults)
    return EventRule(name, key, value)


def define(goal_id: int, *, site_id: int, name: str | None, rule: Rule) -> list[GoalEvent]:
    """Decide a new goal; without a name it is called after its rule.

    Raises:
        Invalid: the name is longer than 255 characters.

    """
    return [GoalDefined(goal_id, site_id, _name(name, rule), rule)]


def redefine(state: Goal, *, name: str | None, rule: Rule) -> list[GoalEvent]:
    """Decide what the goal is from now on, as a whole.

    Raises:
        GoalNotFound: the goal does not exist.
        Invalid: the name is longer than 255 characters.

    """
    _require(state)
    name = _name(name, rule)
    if (name, rule) == (state.name, state.rule) and _same_kind(rule, state.rule):
        return []
    return [GoalRedefined(name, rule)]


def delete(state: Goal) -> list[GoalEvent]:
    """Decide that the goal goes, for good.

    Raises:
        GoalNotFound: the goal does not exist, or is deleted already.

    """
    _require(state)
    return [GoalDeleted()]


def apply(state: Goal, event: GoalEvent) -> Goal:
    """Fold one event into the state; total, so that history can always be read."""
    match event:
        case GoalDefined(goal_id, site_id, name, rule):
            return evolve(state, goal_id=goal_id, site_id=site_id, name=name, rule=rule)
        case GoalRedefined(name, rule):
            return evolve(state, name=name, rule=rule)
        case GoalDeleted():
            return evolve(state, deleted=True)


def describe(rule: Rule) -> str:
    """Return a short text for people that says what the rule asks."""
    match rule:
        case PathRule(pattern):
            return pattern
        case EventRule(name, None):
            return name
        case EventRule(name, key, value):
            return f"{name} ({key}: {value})"


def _name(name: str | None, rule: Rule) -> str:
    if name is None:
        return describe(rule)[:MAX_NAME]
    return required_text("name", name, maximum=MAX_NAME)


def _event_faults(name: str, key: str | None, value: Scalar | None) -> dict[str, list[str]]:
    limits = [("eventName", name, MAX_EVENT_NAME), ("eventPropertyKey", key, MAX_PROPERTY)]
    if isinstance(value, str):
        limits.append(("eventPropertyValue", value, MAX_PROPERTY))
    faults = {
        f"config.{field}": [fault]
        for field, text, maximum in limits
        if text is not None and (fault := text_fault(text, maximum=maximum))
    }
    if not name:
        faults["config.eventName"] = [f"must have 1 to {MAX_EVENT_NAME} characters"]
    if key == "":
        faults["config.eventPropertyKey"] = [f"must have 1 to {MAX_PROPERTY} characters"]
    if (key is None) != (value is None):
        missing = "eventPropertyKey" if key is None else "eventPropertyValue"
        faults[f"config.{missing}"] = ["eventPropertyKey and eventPropertyValue come together or not at all"]
    return faults


def _same_kind(one: Rule, other: Rule) -> bool:
    # 1 == True in Python; as a property value they are two things.
    values = [rule.property_value if isinstance(rule, EventRule) else None for rule in (one, other)]
    return type(values[0]) is type(values[1])


def _require(state: Goal) -> None:
    if not state.exists:
        raise GoalNotFound
