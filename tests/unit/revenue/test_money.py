"""Amounts of money as people write them, and the marks of properties that are money."""

from decimal import Decimal

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, PathRule
from footfall.domain.goals.value import money_of
from footfall.domain.revenue.money import exact_money_text, money_text
from footfall.domain.sites.currencies import MAX_CURRENCIES, PropertyCurrencySet, decide_currencies

LARGEST = Decimal("29999999999999999973.703703670")


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (Decimal("1234.5"), "EUR", "€1,234.50"),
        (Decimal("1234.5"), "USD", "$1,234.50"),
        (Decimal("1234.5"), "CAD", "CA$1,234.50"),
        (Decimal("1234.5"), "CHF", "CHF\u00a01,234.50"),
        (Decimal("1234.5"), "ZZZ", "ZZZ\u00a01,234.50"),
        (Decimal("1234.56"), "JPY", "¥1,235"),
        (Decimal("1234.5"), "KWD", "KWD\u00a01,234.500"),
        (Decimal("1234.5"), "JPY", "¥1,235"),
        (Decimal("0.125"), "EUR", "€0.13"),
        (0.5, "JPY", "¥1"),
        (Decimal("-0.5"), "JPY", "\N{MINUS SIGN}¥1"),
        (Decimal("-0.005"), "EUR", "\N{MINUS SIGN}€0.01"),
        (LARGEST + Decimal("0.001296330"), "EUR", "€29,999,999,999,999,999,973.71"),
        (Decimal("0.00005"), "CLF", "CLF\u00a00.0001"),
        (5e-324, "EUR", "€0.00"),
        (1e308, "JPY", f"¥{int(1e308):,}"),
        (Decimal("-0.5"), "GBP", "\N{MINUS SIGN}£0.50"),
        (Decimal("-0.001"), "GBP", "£0.00"),
        (Decimal("-0.4"), "JPY", "¥0"),
        (Decimal(0), "EUR", "€0.00"),
        (-1e-300, "EUR", "€0.00"),
        (1e22, "EUR", "€10,000,000,000,000,000,000,000.00"),
        (LARGEST, "EUR", "€29,999,999,999,999,999,973.70"),
        (-LARGEST, "SEK", "\N{MINUS SIGN}SEK\u00a029,999,999,999,999,999,973.70"),
    ],
)
def test_an_amount_is_written_as_people_write_it(amount, currency, text):
    assert money_text(amount, currency) == text


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("10.5", "EUR", "€10.50"),
        ("-0.0025", "EUR", "\N{MINUS SIGN}€0.0025"),
        ("0.00", "EUR", "€0.00"),
        ("12", "JPY", "¥12"),
        ("12.5", "JPY", "¥12.5"),
        ("9" * 400, "EUR", f"€{int('9' * 400):,}.00"),
        ("29999999999999999973.703703670", "USD", "$29,999,999,999,999,999,973.703703670"),
    ],
)
def test_a_single_value_keeps_its_decimals(amount, currency, text):
    assert exact_money_text(Decimal(amount), currency) == text


def test_marks_are_decided_one_after_the_other():
    marked = {("order", f"key {number}"): "EUR" for number in range(MAX_CURRENCIES)}

    replaced = decide_currencies(marked, "order", [("key 1", None), ("amount", "EUR"), ("amount", "EUR")])

    assert replaced == [
        PropertyCurrencySet("order", "key 1", None),
        PropertyCurrencySet("order", "amount", "EUR"),
    ]
    with pytest.raises(Invalid) as refusal:
        decide_currencies(marked, "order", [("amount", "EUR"), ("key 1", None)])
    assert list(refusal.value.field_errors) == ["property"]


def test_the_money_of_a_goal_is_that_of_its_event():
    currencies = {("order", "tax"): "USD", ("order", "amount"): "EUR", ("refund", "amount"): "EUR"}

    assert money_of(EventRule("order", "plan", "pro"), currencies) == [("amount", "EUR"), ("tax", "USD")]
    assert money_of(EventRule("signup"), currencies) == []
    assert money_of(PathRule("/order"), currencies) == []
