"""Amounts of money as people write them (docs/read/properties.md#money)."""

from collections.abc import Mapping
from decimal import MAX_PREC, ROUND_HALF_UP, Context, Decimal
from types import MappingProxyType

# Signs that stand before the number, as English writes them (https://cldr.unicode.org/, en.xml).
_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "AUD": "A$",
        "BRL": "R$",
        "CAD": "CA$",
        "CNY": "CN¥",
        "EUR": "€",
        "GBP": "£",
        "HKD": "HK$",
        "ILS": "₪",
        "INR": "₹",
        "JPY": "¥",
        "KRW": "₩",
        "MXN": "MX$",
        "NZD": "NZ$",
        "PHP": "₱",
        "TWD": "NT$",
        "USD": "$",
        "VND": "₫",
        "XCD": "EC$",
    }
)
# Currencies whose smallest unit is another part than a hundredth (ISO 4217).
_DIGITS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(
            ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI"], 0
        ),
        **dict.fromkeys(["VND", "VUV", "XAF", "XOF", "XPF"], 0),
        **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
        **dict.fromkeys(["CLF", "UYW"], 4),
    }
)
_USUAL_DIGITS = 2
# The usual context refuses what has more than 28 digits, as sums have.
EXACT = Context(prec=MAX_PREC)


def money_text(amount: float | Decimal, currency: str) -> str:
    """Return an amount to the smallest unit of its currency: €1,234.50, ¥1,235, CHF 20.00, a minus before the sign.

    Halves of that unit are written as a whole one: 1,234.5 yen are ¥1,235.
    """
    return _written(Decimal(amount), currency, digits_of(currency))


def exact_money_text(amount: Decimal, currency: str) -> str:
    """Return an amount with all its decimals, at least those of its currency: €0.0025, €2.50."""
    decimals = -int(amount.as_tuple().exponent)
    return _written(amount, currency, max(decimals, digits_of(currency)))


def _written(amount: Decimal, currency: str, digits: int) -> str:
    # Without a sign every digit stays, which `abs` would round; one that is shown as zero has no minus.
    rounded = amount.copy_abs().quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, EXACT)
    number = f"{rounded:,f}"
    minus = "\N{MINUS SIGN}" if amount < 0 and number.strip("0.,") else ""
    sign = _SIGNS.get(currency, f"{currency}\N{NO-BREAK SPACE}")
    return f"{minus}{sign}{number}"


def digits_of(currency: str) -> int:
    """Return how many decimals the smallest unit of a currency takes (ISO 4217)."""
    return _DIGITS.get(currency, _USUAL_DIGITS)
