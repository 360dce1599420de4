"""The value of goals: which properties of their events are money (docs/read/properties.md#money)."""

from collections.abc import Sequence
from typing import TypeAlias

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.sites.currencies import Currencies, PropertyCurrencySet, decide_currencies

# Keys of properties, each with its currency; None: it is no money.
Marks: TypeAlias = Sequence[tuple[str, str | None]]


def money_of(rule: Rule, currencies: Currencies) -> Sequence[tuple[str, str]]:
    """Return the properties of the events of a rule that are money, each with its currency; pages have none."""
    if not isinstance(rule, EventRule):
        return []
    marked = sorted(currencies.items())
    return [(key, currency) for (event_name, key), currency in marked if event_name == rule.event_name]


def decide_value(currencies: Currencies, rule: Rule, marks: Marks) -> list[PropertyCurrencySet]:
    """Mark properties of the events of a goal as money, or as no money.

    Raises:
        Invalid: the goal is for pages, or `decide_currency` refuses a mark; the errors name `value` and its fields.

    """
    if not marks:
        return []
    if not isinstance(rule, EventRule):
        raise Invalid({"value": ["is for goals of events"]})
    try:
        return decide_currencies(currencies, rule.event_name, marks)
    except Invalid as refusal:
        errors = {f"value.{name}": messages for name, messages in refusal.field_errors.items()}
        raise Invalid(errors) from refusal
