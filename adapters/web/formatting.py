"""Formats of numbers, dates and values on pages."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from shlex import quote
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from footfall.adapters.web.counting import counted, of, units
from footfall.adapters.web.labels import (
    SPOKEN_VALUES,
    action_label,
    change_label,
    comparison_label,
    dimension_label,
    mail_kind_label,
    with_labels,
)
from footfall.adapters.web.places.place_names import PLACES, place_labels
from footfall.application.languages.language import DateForm, spoken, tr
from footfall.domain.accounts.person import Person
from footfall.domain.traffic.dimensions import keyed, value_label
from footfall.domain.traffic.overview import Traffic

# In the place of a rate of nothing.
NO_RATE = "\N{EN DASH}"
_THOUSAND = 1_000
_MILLION = 1_000_000
_MINUTE = 60
_HOUR = 3_600
_TEN = 10
# A flag is a pair of regional indicator letters (https://unicode.org/reports/tr51/#Flags).
_FLAG_A = 0x1F1E6
# Marks that turn the direction of the text after them (https://unicode.org/reports/tr9/#Explicit_Directional_Embeddings).
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def exact(value: float | Decimal) -> str:
    """Return a whole number with thousands separators."""
    return spoken().number(value)


def short(value: float) -> str:
    """Return a number in at most four characters and a unit: 950, 1.2k, 12k, 3.4M."""
    if value < _THOUSAND:
        return f"{value:.0f}"
    # From 999,500 the number is 1M, not 1000k.
    if value < _MILLION - _THOUSAND / 2:
        return tr("{number}k", number=_three_digits(value / _THOUSAND))
    return tr("{number}M", number=_three_digits(value / _MILLION))


def percent(fraction: float) -> str:
    """Return a fraction from 0 to 1 as a percentage."""
    language = spoken()
    return language.percentage(language.number(fraction * 100, 1 if 0 < fraction < 1 else 0))


def share(part: float, whole: float) -> str:
    """Return a part of a whole as a percentage; a dash where the whole is nothing."""
    return percent(part / whole) if whole else NO_RATE


def estimate(value: float) -> str:
    """Return an estimated number with one digit after the point; one that rounds to zero has no sign."""
    return spoken().number(round(value, 1) + 0.0, 1).replace("-", "\N{MINUS SIGN}")


def amount(value: float | Decimal, currency: str | None) -> str:
    """Return money as people write it: €1,234.50; without a currency a number with at most two decimals."""
    language = spoken()
    if currency:
        return language.money(value, currency)
    return language.number(value, 0 if f"{value:.2f}".endswith(".00") else 2)


def exact_amount(number: str, currency: str) -> str:
    """Return the text of a number as money, with all its decimals: €19.99, €0.0025."""
    return spoken().exact_money(Decimal(number), currency)


def duration(seconds: float) -> str:
    """Return a duration: 45s, 3m 05s, 2h 10m."""
    whole = round(seconds)
    if whole < _MINUTE:
        return tr("{seconds}s", seconds=whole)
    if whole < _HOUR:
        return tr("{minutes}m {seconds}s", minutes=whole // _MINUTE, seconds=f"{whole % _MINUTE:02d}")
    return tr("{hours}h {minutes}m", hours=whole // _HOUR, minutes=f"{whole % _HOUR // _MINUTE:02d}")


def exact_duration(seconds: Decimal) -> str:
    """Return a duration with all its decimals: 12.5s, 3m 05.25s, 2h 10m 00s."""
    minutes, rest = divmod(seconds, _MINUTE)
    if not minutes:
        return tr("{seconds}s", seconds=decimals(rest))
    padded = f"{'0' if rest < _TEN else ''}{decimals(rest)}"
    hours, minutes = divmod(minutes, _MINUTE)
    if not hours:
        return tr("{minutes}m {seconds}s", minutes=f"{minutes:.0f}", seconds=padded)
    return tr(
        "{hours}h {minutes}m {seconds}s", hours=f"{hours:.0f}", minutes=f"{minutes:02.0f}", seconds=padded
    )


DURATIONS = ("average_session_duration", "engaged_time")


def figure(traffic: Traffic, name: str) -> float | None:
    """Return a metric of traffic; None for a rate or a mean of nothing."""
    of_what = {"bounce_rate": traffic.sessions_with_pageviews, "average_session_duration": traffic.sessions}
    value: float | None = getattr(traffic, name)
    return value if of_what.get(name, 1) else None


def change(now: float | None, before: float | None) -> str:
    """Return the relative change with its sign: +12%; empty when a value is missing, or the previous one zero."""
    if now is None or not before:
        return ""
    moved = round((now - before) / before * 100)
    sign = "+" if moved > 0 else "\N{MINUS SIGN}" if moved < 0 else "±"
    return sign + spoken().percentage(exact(abs(moved)))


def metric(value: float | None, name: str) -> str:
    """Return the value of a metric in the format of that metric; a dash for a rate or a mean of nothing."""
    if value is None:
        return NO_RATE
    return {"bounce_rate": percent, **dict.fromkeys(DURATIONS, duration)}.get(name, short)(value)


def measure(value: float, name: str) -> str:
    """Return a web vital in milliseconds or seconds; a layout shift has no unit.

    Two decimals keep values on both sides of a rating threshold apart.
    """
    if name == "cls":
        return spoken().number(value, 3).removesuffix("0")
    if value < _THOUSAND:
        return f"{value:.0f} ms"
    return spoken().number(value / _THOUSAND, 2).removesuffix("0") + " s"


def day(at: date) -> str:
    """Return a date: 21 Nov 2026."""
    return spoken().day(at)


def day_of_year(at: date) -> str:
    """Return a date without its year: 21 Nov."""
    return spoken().day(at, DateForm.DAY_OF_YEAR)


def clock(at: datetime, *, seconds: bool = False) -> str:
    """Return the time of day: 14:05."""
    return spoken().clock(at, seconds=seconds)


def days(first: date, last: date) -> str:
    """Return a range of days: 23 Oct - 21 Nov 2026."""
    if first == last:
        return day(first)
    start = day(first) if first.year != last.year else day_of_year(first)
    return f"{start} \N{EN DASH} {day(last)}"


def moment(at: datetime, zone: ZoneInfo | None = None, *, seconds: bool = False) -> str:
    """Return a time to the minute or the second, in UTC unless a zone is given: 21 Nov 2026, 14:05."""
    local = at.astimezone(zone or UTC)
    text = f"{day(local)}, {clock(local, seconds=seconds)}"
    return text if zone else f"{text} UTC"


def step(number: int) -> str:
    """Return what a step of several is called: Step 2."""
    return tr("Step {number}", number=number)


def made(text: str) -> str:
    """Return an error or a reason, which has its values already, in the spoken language."""
    return spoken().made(text)


def translated(text: Any) -> str:
    """Return a label or a word of the interface in the spoken language."""
    return spoken().text(str(text))


def is_web_address(text: str) -> bool:
    """Return whether a text is an HTTP address, the only kind that becomes a link."""
    return text.startswith(("https://", "http://"))


def flag(country: str) -> str:
    """Return the flag of a two-letter country code; empty for other texts."""
    if len(country) != 2 or not country.isascii() or not country.isalpha():  # noqa: PLR2004 - ISO 3166 alpha-2
        return ""
    return "".join(chr(_FLAG_A + ord(letter) - ord("A")) for letter in country.upper())


def plain(value: Any) -> str:
    """Return a JSON value as text: true, not True; lists with commas; 'none' for null and empty lists.

    Steps of funnels and conditions are in words, times to the minute, in UTC.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(plain, value)) or tr("none")
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Mapping):
        return _document(value)
    return tr("none") if value is None else str(value)


def changed(value: Any, field: str) -> str:
    """Return the value of a changed field in the audit log: yes and no of settings, all others as `plain` does."""
    if isinstance(value, bool) and field != "config.eventPropertyValue":
        return tr("yes") if value else tr("no")
    return plain(value)


def value_name(value: str, attribute: str) -> str:
    """Return what to call the value of a dimension, or a missing value: Germany, macOS, Direct."""
    if value:
        if attribute in PLACES:
            return place_labels(attribute, [value])[value]
        label = value_label(attribute, value)
        if attribute == "automation":
            return ", ".join(map(tr, label.split(", ")))
        return tr(label) if attribute in SPOKEN_VALUES else label
    if attribute.startswith("utm_"):
        return tr("None")
    if keyed(attribute) is not None:
        return tr("(empty)")
    return tr("Direct") if attribute in ("referrer", "referrer_host") else tr("Unknown")


def device_name(text: str) -> str:
    """Return what to call a browser that is signed in: Safari on macOS for `Safari on Mac OS X`."""
    browser, on, system = text.rpartition(" on ")
    system = value_label("operating_system", system)
    return tr("{browser} on {system}", browser=browser, system=system) if on else tr(system)


def who(person: Person) -> str:
    """Return what to call a person: the name, or the number of the user."""
    return person.name or tr("user {number}", number=person.user_id)


def sentence(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def unturned(value: Any) -> Any:
    """Return a text without marks that turn its direction: visitors and old names have them, and lists would lie.

    Markup stays: `|e` keeps the exact text of a value that a form sends back.
    """
    return _TURNING.sub("", value) if type(value) is str and not value.isascii() else value


def bdi(value: Any) -> Markup:
    """Return a name whose direction is its own, whatever stands beside it."""
    return Markup("<bdi>{}</bdi>").format(unturned(value))


def json_text(value: Any) -> str:
    """Return a value as JSON for readers: {"plan": "é"}."""
    return json.dumps(value, ensure_ascii=False)


TESTS: Mapping[str, Callable[..., bool]] = MappingProxyType({"web_address": is_web_address})
FILTERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "exact": exact,
        "short": short,
        "percent": percent,
        "share": share,
        "duration": duration,
        "change": change,
        "flag": flag,
        "day": day,
        "day_of_year": day_of_year,
        "clock": clock,
        "moment": moment,
        "units": units,
        "counted": counted,
        "of": of,
        "step": step,
        "made": made,
        "translated": translated,
        "with_labels": with_labels,
        "mail_kind": mail_kind_label,
        "dimension": dimension_label,
        "comparison": comparison_label,
        "change_label": change_label,
        "action_label": action_label,
        "figure": figure,
        "metric": metric,
        "measure": measure,
        "plain": plain,
        "changed": changed,
        "amount": amount,
        "exact_amount": exact_amount,
        "estimate": estimate,
        "value_name": value_name,
        "device_name": device_name,
        "sentence": sentence,
        "who": who,
        "bdi": bdi,
        "json": json_text,
    }
)


def _document(document: Mapping[str, Any]) -> str:
    """Return a step of a funnel or a condition in words: goal 7, page /a, event order (plan: large), Country is DE."""
    match document:
        case {"goalId": goal_id}:
            return tr("goal {number}", number=goal_id)
        case {"config": {"pathPattern": pattern, "pagePropertyKey": key, "pagePropertyValue": value}}:
            return tr("page {pattern} ({key}: {value})", pattern=pattern, key=key, value=plain(value))
        case {"config": {"pathPattern": pattern}}:
            return tr("page {pattern}", pattern=pattern)
        case {"config": {"pageGroup": group}}:
            return tr("group of pages {group}", group=group)
        case {"config": {"eventName": name, "eventPropertyKey": key, "eventPropertyValue": value}}:
            return tr("event {name} ({key}: {value})", name=name, key=key, value=plain(value))
        case {"config": {"eventName": name}}:
            return tr("event {name}", name=name)
        case {"parameter": parameter, "type": comparison, "value": values}:
            return f"{dimension_label(parameter)} {comparison_label(comparison)} {plain(values)}"
    return ", ".join(f"{name}: {plain(value)}" for name, value in document.items())


def decimals(number: Decimal) -> str:
    """Return a number with its decimals, at most six."""
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return spoken().number(number, len(text.partition(".")[2]))


def _three_digits(value: float) -> str:
    is_whole = value >= 99.95 or f"{value:.1f}".endswith(".0")  # noqa: PLR2004 - three digits are enough
    return spoken().number(value, 0 if is_whole else 1)


def upload_command(site_id: int, release: str, base_url: str) -> str:
    """Return the command that uploads the source maps of a build (docs/errors/source-maps.md), for a shell.

    The name of a release can come from an event of any sender.
    """
    return (
        f"footfall sourcemaps upload dist --site {site_id} --release={quote(release)} --url {quote(base_url)}"
    )
