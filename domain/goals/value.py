"""The value of goals: which properties of their events are money (docs/properties.md#money)."""

from collections.abc import Sequence

from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.sites.currencies import Currencies


def money_of(rule: Rule, currencies: Currencies) -> Sequence[tuple[str, str]]:
    """Return the properties of the events of a rule that are money, each with its currency; pages have none."""
    if not isinstance(rule, EventRule):
        return []
    marked = sorted(currencies.items())
    return [(key, currency) for (event_name, key), currency in marked if event_name == rule.event_name]
