"""Properties of custom events that are money, with their currencies (docs/read/properties.md#money)."""

import re
from collections.abc import Iterable, Mapping
from functools import reduce

from attrs import frozen

from footfall.domain.event_stream import without
from footfall.domain.exceptions import require_valid
from footfall.domain.text import text_fault

MAX_CURRENCIES = 100
MAX_EVENT_NAME = 256
MAX_PROPERTY_KEY = 8192
_CURRENCY = re.compile(r"[A-Z]{3}")

# By the name of the event and the key of the property.
Currencies = Mapping[tuple[str, str], str]


@frozen
class PropertyCurrencySet:
    """Numbers of a property of some custom events are money of this currency from now on; None: they are not."""

    event_name: str
    property_key: str
    currency: str | None


def is_currency(text: str) -> bool:
    """Whether a text has the form of a code of ISO 4217."""
    return _CURRENCY.fullmatch(text) is not None


def decide_currency(
    currencies: Currencies, event_name: str, property_key: str, currency: str | None
) -> list[PropertyCurrencySet]:
    """Mark a property as money of a currency, or as no money; an unchanged one gives no event.

    Raises:
        Invalid: a text is empty or too long, the currency is no code of ISO 4217 or there are 100 marked properties;
            the errors name `event`, `property` and `currency`.

    """
    errors = _text_errors("event", event_name, MAX_EVENT_NAME)
    errors |= _text_errors("property", property_key, MAX_PROPERTY_KEY)
    key = (event_name, property_key)
    if currency is not None and not is_currency(currency):
        errors["currency"] = ["must be a code of three capital letters such as EUR"]
    if currency is not None and key not in currencies and len(currencies) >= MAX_CURRENCIES:
        errors["property"] = [
            f"is one too many: a site has at most {MAX_CURRENCIES} properties that are money"
        ]
    require_valid(errors)
    return [] if currencies.get(key) == currency else [PropertyCurrencySet(*key, currency)]


def decide_currencies(
    currencies: Currencies, event_name: str, marks: Iterable[tuple[str, str | None]]
) -> list[PropertyCurrencySet]:
    """Mark properties of some custom events, one after the other, as `decide_currency` does.

    Raises:
        Invalid: as `decide_currency` does.

    """
    events: list[PropertyCurrencySet] = []
    for key, currency in marks:
        decided = decide_currency(currencies, event_name, key, currency)
        currencies = reduce(with_currency, decided, currencies)
        events += decided
    return events


def with_currency(currencies: Currencies, event: PropertyCurrencySet) -> Currencies:
    """Return the currencies after an event."""
    key = (event.event_name, event.property_key)
    remaining = without(currencies, key)
    return remaining if event.currency is None else {**remaining, key: event.currency}


def _text_errors(name: str, text: str, maximum: int) -> dict[str, list[str]]:
    error = text_fault(text, maximum=maximum) if text else f"must have 1 to {maximum:,} characters"
    return {name: [error]} if error else {}
