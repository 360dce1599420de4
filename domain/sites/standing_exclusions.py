"""Standing exclusions: named rules that leave whole sessions out of reports (docs/read/standing-exclusions.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from footfall.domain.event_stream import without
from footfall.domain.exceptions import ExclusionRuleNotFound, Invalid, TooManyExclusionRules, existing
from footfall.domain.sites.segment import Condition
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_RULES = 20
# All rules together may have so many: every report of the site is asked with them.
MAX_CONDITIONS = 50
MAX_VALUES = 1_000


@frozen
class ExclusionRule:
    """A named set of conditions: enabled, it leaves out every session for which all of them hold."""

    name: str
    conditions: tuple[Condition, ...]
    enabled: bool = True


@frozen
class ExclusionRuleDefined:
    """A rule was defined, and enabled; its number is unique on its site."""

    number: int
    name: str
    conditions: tuple[Condition, ...]


@frozen
class ExclusionRuleRedefined:
    """The name and the conditions of a rule were replaced."""

    number: int
    name: str
    conditions: tuple[Condition, ...]


@frozen
class ExclusionRuleSwitched:
    """A rule of this name was enabled or disabled."""

    number: int
    name: str
    enabled: bool


@frozen
class ExclusionRuleRemoved:
    """A rule of this name was removed; its number is not used again."""

    number: int
    name: str


ExclusionEvent = ExclusionRuleDefined | ExclusionRuleRedefined | ExclusionRuleSwitched | ExclusionRuleRemoved


@frozen
class StandingExclusions:
    """The rules of a site by their numbers, and the highest number that was ever given."""

    rules: Mapping[int, ExclusionRule] = field(factory=dict)
    last: int = 0

    @property
    def enabled(self) -> tuple[ExclusionRule, ...]:
        """The rules that reports follow, by their numbers."""
        return tuple(rule for _, rule in sorted(self.rules.items()) if rule.enabled)

    def leaves_out_the_same(self, other: "StandingExclusions") -> bool:
        """Return whether reports by these rules have the same numbers, whatever the rules are called."""
        return [rule.conditions for rule in self.enabled] == [rule.conditions for rule in other.enabled]


def define(state: StandingExclusions, *, name: str, conditions: Sequence[Condition]) -> list[ExclusionEvent]:
    """Decide a new rule, which is enabled, for all history at once.

    Raises:
        Invalid: `shown_name` refuses the name, there are no conditions, or all rules together have more than the
            limits.
        TooManyExclusionRules: the site has 20 rules.

    """
    name = shown_name("name", name, maximum=MAX_NAME)
    if len(state.rules) >= MAX_RULES:
        raise TooManyExclusionRules(MAX_RULES)
    return [ExclusionRuleDefined(state.last + 1, name, _checked(conditions, state.rules.values()))]


def change(
    state: StandingExclusions,
    number: int,
    *,
    name: str | None = None,
    conditions: Sequence[Condition] | None = None,
    enabled: bool | None = None,
) -> list[ExclusionEvent]:
    """Decide another name, other conditions, or whether a rule is enabled; None keeps what is there.

    Raises:
        ExclusionRuleNotFound: there is no such rule.
        Invalid: as `define` does.

    """
    rule = _existing(state, number)
    others = [other for other_number, other in state.rules.items() if other_number != number]
    changed = ExclusionRule(
        name=rule.name if name is None else shown_name("name", name, maximum=MAX_NAME),
        conditions=rule.conditions if conditions is None else _checked(conditions, others),
        enabled=rule.enabled if enabled is None else enabled,
    )
    events: list[ExclusionEvent] = []
    if (changed.name, changed.conditions) != (rule.name, rule.conditions):
        events.append(ExclusionRuleRedefined(number, changed.name, changed.conditions))
    if changed.enabled is not rule.enabled:
        events.append(ExclusionRuleSwitched(number, changed.name, changed.enabled))
    return events


def remove(state: StandingExclusions, number: int) -> list[ExclusionEvent]:
    """Decide that a rule is removed.

    Raises:
        ExclusionRuleNotFound: there is no such rule.

    """
    return [ExclusionRuleRemoved(number, _existing(state, number).name)]


def apply(state: StandingExclusions, event: ExclusionEvent) -> StandingExclusions:
    """Return the rules after an event; accepts every event of the history."""
    match event:
        case ExclusionRuleDefined(number, name, conditions):
            rules = {**state.rules, number: ExclusionRule(name, conditions)}
            return StandingExclusions(rules, max(state.last, number))
        case ExclusionRuleRedefined(number, name, conditions):
            return _changed(state, number, name=name, conditions=conditions)
        case ExclusionRuleSwitched(number, _, enabled):
            return _changed(state, number, enabled=enabled)
        case ExclusionRuleRemoved(number):
            return evolve(state, rules=without(state.rules, number))


def _changed(state: StandingExclusions, number: int, **changes: Any) -> StandingExclusions:
    if number not in state.rules:
        return state
    changed = evolve(state.rules[number], **changes)
    return evolve(state, rules={**state.rules, number: changed})


def _checked(conditions: Sequence[Condition], others: Iterable[ExclusionRule]) -> tuple[Condition, ...]:
    if not conditions:
        raise Invalid({"filters": ["must have at least one filter"]})
    every = [*conditions, *(condition for rule in others for condition in rule.conditions)]
    values = sum(len(condition.values) for condition in every)
    if len(every) > MAX_CONDITIONS or values > MAX_VALUES:
        rule = (
            f"all rules of a site together have at most {MAX_CONDITIONS} filters with {MAX_VALUES:,} values, not "
            f"{len(every)} with {values:,}"
        )
        raise Invalid({"filters": [rule]})
    return tuple(conditions)


def _existing(state: StandingExclusions, number: int) -> ExclusionRule:
    return existing(state.rules.get(number), ExclusionRuleNotFound)
