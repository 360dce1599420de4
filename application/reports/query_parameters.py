"""Query parameters of reports, for the HTTP interface and the dashboard (docs/read/reports.md#periods-and-buckets)."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import TypeVar
from zoneinfo import ZoneInfo

from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.periods.report_period import (
    ReportPeriod,
    compared_with_days,
    compared_with_weekdays_before,
    compared_with_weekdays_of_year_before,
    compared_with_year_before,
    last_30_days,
    local_days,
    past_minutes,
)
from footfall.domain.periods.timezone import parse_zone

FIRST_YEAR = 1970
LAST_YEAR = 2200
MAX_PAST_MINUTES = 5_256_000  # ten years
# The periods that a period is compared with by name; the first one is the default.
COMPARISONS: Mapping[str, Callable[[ReportPeriod], ReportPeriod]] = MappingProxyType(
    {
        "previous": lambda window: window,
        "year": compared_with_year_before,
        "previous_weekday": compared_with_weekdays_before,
        "year_weekday": compared_with_weekdays_of_year_before,
    }
)
COMPARED_DATES = ("compare_start_date", "compare_end_date")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MINUTES = re.compile(r"[0-9]{1,7}")
_DATE_RULE = f"must be a date YYYY-MM-DD from {FIRST_YEAR}-01-01 to {LAST_YEAR}-12-31"
_MINUTES_RULE = f"must be a whole number from 0 to {MAX_PAST_MINUTES}"

Value = TypeVar("Value", date, int)


def parse_instant(name: str, value: object) -> datetime:
    """Return a time with an offset from a body, in UTC.

    Raises:
        Invalid: it is no such time; the error names the field.

    """
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        if at is not None and at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    raise Invalid({name: ["must be an ISO 8601 time with an offset, such as 2026-01-31T12:00:00.000Z"]})


def parse_report_period(parameters: Mapping[str, str], *, now: datetime) -> ReportPeriod:
    """Return the period of the query parameters `start_date`, `end_date`, `past_minutes_*` and `time_zone`.

    Raises:
        Invalid: a parameter is malformed, out of range or lacks its companion; the errors name the accepted values.

    """
    errors: dict[str, list[str]] = {}
    zone = _zone(parameters, errors)
    days = _pair(parameters, ("start_date", "end_date"), _date, _DATE_RULE, errors)
    minutes = _pair(parameters, ("past_minutes_start", "past_minutes_end"), _minutes, _MINUTES_RULE, errors)
    if days and minutes:
        errors["past_minutes_start"] = ["must not come together with start_date and end_date"]
    if days and days[0] > days[1]:
        errors["end_date"] = ["must not be before start_date"]
    if minutes and minutes[0] <= minutes[1]:
        errors["past_minutes_start"] = ["must be more than past_minutes_end"]
    require_valid(errors)
    if minutes:
        return past_minutes(now, zone, start=minutes[0], end=minutes[1])
    return local_days(*days, zone) if days else last_30_days(now, zone)


def parse_comparison(parameters: Mapping[str, str], window: ReportPeriod) -> ReportPeriod:
    """Return the period compared with what `compare_with`, or `compare_start_date` and `compare_end_date`, name.

    Without them it is compared with the preceding period of the same length.

    Raises:
        Invalid: a parameter is malformed, or both kinds of them come together; the errors name the accepted values.

    """
    errors: dict[str, list[str]] = {}
    days = _pair(parameters, COMPARED_DATES, _date, _DATE_RULE, errors)
    kind = parameters.get("compare_with", "previous")
    if kind not in COMPARISONS:
        errors["compare_with"] = [f"must be one of {', '.join(COMPARISONS)}"]
    elif "compare_with" in parameters and any(name in parameters for name in COMPARED_DATES):
        errors["compare_with"] = [f"must not come together with {' and '.join(COMPARED_DATES)}"]
    elif kind != "previous" and "past_minutes_start" in parameters:
        errors["compare_with"] = ["compares days with other days, not minutes"]
    if days and days[0] > days[1]:
        errors["compare_end_date"] = ["must not be before compare_start_date"]
    require_valid(errors)
    if days:
        return compared_with_days(window, *days)
    return COMPARISONS[kind](window)


def _zone(parameters: Mapping[str, str], errors: dict[str, list[str]]) -> ZoneInfo:
    try:
        return parse_zone(parameters.get("time_zone", "UTC"))
    except Invalid as refusal:
        errors |= refusal.field_errors
        return parse_zone("UTC")


def _pair(
    parameters: Mapping[str, str],
    names: tuple[str, str],
    read: Callable[[str], Value | None],
    rule: str,
    errors: dict[str, list[str]],
) -> tuple[Value, Value] | None:
    if not any(name in parameters for name in names):
        return None
    values = {name: read(parameters[name]) for name in names if name in parameters}
    errors |= {name: [rule] for name, value in values.items() if value is None}
    errors |= {
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
