"""Numbers and times as people read them; the exact value is one hover away."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

_THOUSAND = 1_000
_MILLION = 1_000_000
_MINUTE = 60
_HOUR = 3_600
# A flag is written with two letters of an alphabet of its own (https://unicode.org/reports/tr51/#Flags).
_FLAG_A = 0x1F1E6


def exact(value: float) -> str:
    """Return a whole number with its thousands apart."""
    return f"{value:,.0f}"


def short(value: float) -> str:
    """Return a number in at most four signs and a unit: 950, 1.2k, 12k, 3.4M."""
    if value < _THOUSAND:
        return f"{value:.0f}"
    # 999,950 is 1M already, not 1000k.
    if value < _MILLION - _THOUSAND / 2:
        return _with_unit(value / _THOUSAND, "k")
    return _with_unit(value / _MILLION, "M")


def percent(fraction: float) -> str:
    """Return a fraction from 0 to 1 as a percentage."""
    return f"{fraction * 100:.1f}%" if 0 < fraction < 1 else f"{fraction * 100:.0f}%"


def duration(seconds: float) -> str:
    """Return a span of time: 45s, 3m 05s, 2h 10m."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE:02d}s"
    return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02d}m"


def change(now: float, before: float) -> str:
    """Return how much more or less than before, with its sign: +12%; empty when there was nothing before."""
    if not before:
        return ""
    moved = round((now - before) / before * 100)
    return f"+{moved:,}%" if moved > 0 else f"\N{MINUS SIGN}{-moved:,}%" if moved < 0 else "±0%"


def metric(value: float, name: str) -> str:
    """Return the value of a metric in the form that suits it."""
    return {"bounce_rate": percent, "average_session_duration": duration}.get(name, short)(value)


def measure(value: float, name: str) -> str:
    """Return a web vital: milliseconds as such or as seconds, a score as it is."""
    if name == "cls":
        return f"{value:.2f}"
    return f"{value:.0f} ms" if value < _THOUSAND else f"{value / _THOUSAND:.1f} s"


def moment(at: datetime, zone: ZoneInfo | None = None) -> str:
    """Return a time to the minute, in UTC unless a zone is given."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M}" if zone else f"{at:%Y-%m-%d %H:%M} UTC"


def flag(country: str) -> str:
    """Return the flag of a country's code; empty for what is no code of two letters."""
    if len(country) != 2 or not country.isascii() or not country.isalpha():  # noqa: PLR2004 - ISO 3166 alpha-2
        return ""
    return "".join(chr(_FLAG_A + ord(letter) - ord("A")) for letter in country.upper())


def plain(value: Any) -> str:
    """Return a value as people write it: true, not True; lists with commas; nothing for an empty one."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value)) or "none"
    return "none" if value is None else str(value)


def or_absent(value: str, attribute: str) -> str:
    """Return a value of an attribute, or for an empty one what its absence means."""
    if attribute.startswith("utm_"):
        return value or "none"
    return value or ("direct" if attribute == "referrer" else "unknown")


def sentence(text: str) -> str:
    """Return a text with its first letter in upper case, and nothing else changed."""
    return text[:1].upper() + text[1:]


FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "exact": exact,
        "short": short,
        "percent": percent,
        "duration": duration,
        "change": change,
        "flag": flag,
        "moment": moment,
        "metric": metric,
        "measure": measure,
        "plain": plain,
        "or_absent": or_absent,
        "sentence": sentence,
    }
)


def _with_unit(value: float, unit: str) -> str:
    text = f"{value:.1f}" if value < 99.95 else f"{value:.0f}"  # noqa: PLR2004 - three digits are enough
    return text.removesuffix(".0") + unit
