"""The window of a report: what its common parameters ask for (decisions, section 7)."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.errors import Invalid
from footfall.domain.period import Period, days_before, last_days
from footfall.domain.zone import parse_zone

DEFAULT_DAYS = 30
FIRST_YEAR = 1970
LAST_YEAR = 2200
MAX_PAST_MINUTES = 5_256_000  # ten years
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MINUTES = re.compile(r"[0-9]{1,7}")
_DATE_RULE = f"must be a date YYYY-MM-DD from {FIRST_YEAR}-01-01 to {LAST_YEAR}-12-31"
_MINUTES_RULE = f"must be a whole number from 0 to {MAX_PAST_MINUTES}"

Value = TypeVar("Value", date, int)


@frozen
class Window:
    """A period, the one before it of the same length, and the time zone in which both are cut.

    For local days the period before has the same number of local days.
    """

    period: Period
    before: Period
    zone: ZoneInfo


def local_days(first: date, last: date, zone: ZoneInfo) -> Window:
    """Return the window of the days from `first` to `last`, both included."""
    before = Period.local_days(*days_before(first, last), zone)
    return Window(Period.local_days(first, last, zone), before, zone)


def last_30_days(now: datetime, zone: ZoneInfo) -> Window:
    """Return the window of the local day that `now` belongs to, the whole of it, and the 29 days before."""
    return local_days(*last_days(now, zone, days=DEFAULT_DAYS), zone)


def past_minutes(now: datetime, zone: ZoneInfo, *, start: int, end: int) -> Window:
    """Return the window from `start` minutes ago to `end` minutes ago."""
    period = Period.past_minutes(now, start=start, end=end)
    return Window(period, period.just_before(), zone)


def parse_window(parameters: Mapping[str, str], *, now: datetime) -> Window:
    """Return the window of the query parameters `start_date`, `end_date`, `past_minutes_*` and `time_zone`.

    Raises:
        Invalid: a parameter is malformed, out of range or lacks its companion; faults name what is accepted.

    """
    faults: dict[str, list[str]] = {}
    zone = _zone(parameters, faults)
    days = _pair(parameters, ("start_date", "end_date"), _date, _DATE_RULE, faults)
    minutes = _pair(parameters, ("past_minutes_start", "past_minutes_end"), _minutes, _MINUTES_RULE, faults)
    if days and minutes:
        faults["past_minutes_start"] = ["must not come together with start_date and end_date"]
    if days and days[0] > days[1]:
        faults["end_date"] = ["must not be before start_date"]
    if minutes and minutes[0] <= minutes[1]:
        faults["past_minutes_start"] = ["must be more than past_minutes_end"]
    if faults:
        raise Invalid(faults)
    if minutes:
        return past_minutes(now, zone, start=minutes[0], end=minutes[1])
    return local_days(*days, zone) if days else last_30_days(now, zone)


def _zone(parameters: Mapping[str, str], faults: dict[str, list[str]]) -> ZoneInfo:
    try:
        return parse_zone(parameters.get("time_zone", "UTC"))
    except Invalid as refusal:
        faults |= refusal.faults
        return parse_zone("UTC")


def _pair(
    parameters: Mapping[str, str],
    names: tuple[str, str],
    read: Callable[[str], Value | None],
    rule: str,
    faults: dict[str, list[str]],
) -> tuple[Value, Value] | None:
    if not any(name in parameters for name in names):
        return None
    values = {name: read(parameters[name]) for name in names if name in parameters}
    faults |= {name: [rule] for name, value in values.items() if value is None}
    faults |= {
        name: [f"is missing; {' and '.join(names)} come together"] for name in names if name not in values
    }
    first, second = (values.get(name) for name in names)
    return None if first is None or second is None else (first, second)


def _date(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:  # 2026-02-30
        return None
    return day if day and FIRST_YEAR <= day.year <= LAST_YEAR else None


def _minutes(text: str) -> int | None:
    minutes = int(text) if _MINUTES.fullmatch(text) else None
    return minutes if minutes is not None and minutes <= MAX_PAST_MINUTES else None
