"""The alert rules of a site and the targets that they tell; the commands and events of their life."""

from collections.abc import Mapping
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.event_stream import without
from footfall.domain.exceptions import (
    AlertRuleNotFound,
    AlertTargetNotFound,
    Invalid,
    TooManyAlertRules,
    TooManyAlertTargets,
)
from footfall.domain.text import shown_name

MAX_RULES = 50
MAX_TARGETS = 20
MAX_TARGET_NAME = 100


class TargetKind(StrEnum):
    """The way to a target: a mail to a member, or a request to an address in the form that it accepts."""

    MAIL = "mail"
    WEBHOOK = "webhook"
    SLACK = "slack"
    DISCORD = "discord"
    NTFY = "ntfy"


@frozen
class AlertRuleDefined:
    """A rule was defined; its number is unique on its site."""

    number: int
    plan: AlertPlan


@frozen
class AlertRuleRedefined:
    """The plan of a rule was replaced; it is evaluated anew from then on."""

    number: int
    plan: AlertPlan


@frozen
class AlertRuleDeleted:
    """A rule was deleted; its number is not used again."""

    number: int


@frozen
class AlertTargetAdded:
    """A target was added. Its address and secret stand outside of the journal; a mail goes to a member."""

    number: int
    kind: TargetKind
    name: str
    user_id: str | None


@frozen
class AlertTargetRemoved:
    """A target was removed, also from the rules that told it."""

    number: int


AlertEvent = AlertRuleDefined | AlertRuleRedefined | AlertRuleDeleted | AlertTargetAdded | AlertTargetRemoved


@frozen(kw_only=True)
class AlertRule:
    """A rule; `revision` counts how often its plan was decided."""

    number: int
    plan: AlertPlan
    revision: int = 1


@frozen(kw_only=True)
class AlertTarget:
    """A target; `user_id` is the member who gets its mails."""

    number: int
    kind: TargetKind
    name: str
    user_id: str | None = None


@frozen(kw_only=True)
class SiteAlerts:
    """The rules and targets of a site by their numbers, and the highest numbers that were ever given."""

    rules: Mapping[int, AlertRule] = field(factory=dict)
    targets: Mapping[int, AlertTarget] = field(factory=dict)
    last_rule: int = 0
    last_target: int = 0

    def rule(self, number: int) -> AlertRule:
        """Return a rule.

        Raises:
            AlertRuleNotFound: there is none with this number.

        """
        if number not in self.rules:
            raise AlertRuleNotFound
        return self.rules[number]

    def target(self, number: int) -> AlertTarget:
        """Return a target.

        Raises:
            AlertTargetNotFound: there is none with this number.

        """
        if number not in self.targets:
            raise AlertTargetNotFound
        return self.targets[number]

    def counting(self, goal_id: int) -> list[str]:
        """Return the names of the active rules that count a goal."""
        plans = [rule.plan for rule in self.rules.values()]
        return [plan.name for plan in plans if plan.active and plan.goal_id == goal_id]


def define(state: SiteAlerts | None, plan: AlertPlan) -> list[AlertEvent]:
    """Decide a new rule.

    Raises:
        TooManyAlertRules: the site has 50 rules.
        Invalid: the plan names a target that the site does not have; the error names `targets`.

    """
    state = state or SiteAlerts()
    _check_targets(state, plan)
    if len(state.rules) >= MAX_RULES:
        raise TooManyAlertRules(MAX_RULES)
    return [AlertRuleDefined(state.last_rule + 1, plan)]


def redefine(state: SiteAlerts | None, number: int, plan: AlertPlan) -> list[AlertEvent]:
    """Decide another plan of a rule; an unchanged one gives no event.

    Raises:
        AlertRuleNotFound: there is no such rule.
        Invalid: the plan names a target that the site does not have; the error names `targets`.

    """
    state = state or SiteAlerts()
    rule = state.rule(number)
    _check_targets(state, plan)
    return [] if rule.plan == plan else [AlertRuleRedefined(number, plan)]


def delete(state: SiteAlerts | None, number: int) -> list[AlertEvent]:
    """Decide that a rule is deleted.

    Raises:
        AlertRuleNotFound: there is no such rule.

    """
    (state or SiteAlerts()).rule(number)
    return [AlertRuleDeleted(number)]


def add_target(
    state: SiteAlerts | None, kind: TargetKind, name: str, user_id: str | None = None
) -> list[AlertEvent]:
    """Decide a new target; one for mails names the member who gets them.

    Raises:
        TooManyAlertTargets: the site has 20 targets.
        Invalid: `shown_name` refuses the name, or a member is missing or given in vain.

    """
    state = state or SiteAlerts()
    name = shown_name("name", name, maximum=MAX_TARGET_NAME)
    if (kind is TargetKind.MAIL) != (user_id is not None):
        raise Invalid({"userId": ["is required for mail, and must be left out for other kinds"]})
    if len(state.targets) >= MAX_TARGETS:
        raise TooManyAlertTargets(MAX_TARGETS)
    return [AlertTargetAdded(state.last_target + 1, kind, name, user_id)]


def remove_target(state: SiteAlerts | None, number: int) -> list[AlertEvent]:
    """Decide that a target is removed, also from the rules that tell it.

    Raises:
        AlertTargetNotFound: there is no such target.

    """
    (state or SiteAlerts()).target(number)
    return [AlertTargetRemoved(number)]


def apply(state: SiteAlerts | None, event: AlertEvent) -> SiteAlerts:
    """Return the state after an event; accepts every event of the history."""
    state = state or SiteAlerts()
    match event:
        case AlertRuleDefined(number, plan):
            rules = {**state.rules, number: AlertRule(number=number, plan=plan)}
            return evolve(state, rules=rules, last_rule=max(state.last_rule, number))
        case AlertRuleRedefined(number, plan):
            if number not in state.rules:
                return state
            revision = state.rules[number].revision + 1
            rule = AlertRule(number=number, plan=plan, revision=revision)
            return evolve(state, rules={**state.rules, number: rule})
        case AlertRuleDeleted(number):
            return evolve(state, rules=without(state.rules, number))
        case AlertTargetAdded(number, kind, name, user_id):
            target = AlertTarget(number=number, kind=kind, name=name, user_id=user_id)
            targets = {**state.targets, number: target}
            return evolve(state, targets=targets, last_target=max(state.last_target, number))
        case AlertTargetRemoved(number):
            return _without_target(state, number)


def _without_target(state: SiteAlerts, number: int) -> SiteAlerts:
    rules = {
        key: evolve(rule, plan=evolve(rule.plan, targets=tuple(t for t in rule.plan.targets if t != number)))
        for key, rule in state.rules.items()
    }
    return evolve(state, rules=rules, targets=without(state.targets, number))


def _check_targets(state: SiteAlerts, plan: AlertPlan) -> None:
    if missing := [str(target) for target in plan.targets if target not in state.targets]:
        raise Invalid({"targets": [f"this site has no target {', '.join(missing)}"]})
