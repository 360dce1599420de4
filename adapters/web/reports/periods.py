"""The periods of a dashboard by name: of days, months and years, and the ones before and after."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from footfall.application.languages.language import DateForm, marked, spoken, tr
from footfall.application.reports.query_parameters import FIRST_YEAR, LAST_YEAR
from footfall.domain.periods.period import last_days
from footfall.domain.periods.report_period import ReportPeriod, calendar_month, calendar_year, local_days
from footfall.domain.periods.timezone import to_wall_time

DAYS: Mapping[str, str] = MappingProxyType(
    marked({"today": "Today", "yesterday": "Yesterday", "7d": "7 days", "30d": "30 days", "12m": "12 months"})
)
CALENDAR: Mapping[str, str] = MappingProxyType(
    marked({"month": "This month", "last_month": "Last month", "year": "This year", "all": "All time"})
)
COMPARED: Mapping[str, str] = MappingProxyType(
    marked(
        {
            "previous": "Previous period",
            "previous_weekday": "Previous period, same weekdays",
            "year": "Same days last year",
            "year_weekday": "Last year, same weekdays",
            "off": "No comparison",
        }
    )
)
_LENGTHS = MappingProxyType({"today": 1, "7d": 7, "30d": 30, "12m": 365})
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_YEAR = re.compile(r"[0-9]{4}")
_DAY = timedelta(days=1)


def period_named(name: str, zone: ZoneInfo, now: datetime, since: datetime | None) -> ReportPeriod | None:
    """Return the period of a name, a month (2026-01) or a year (2026); None when the text is none of them.

    All time is from the day of `since`, the first data, to today.
    """
    today = to_wall_time(now, zone).date()
    if name in _LENGTHS:
        return local_days(*last_days(now, zone, days=_LENGTHS[name]), zone)
    if name == "yesterday":
        return local_days(today - _DAY, today - _DAY, zone)
    if name == "all":
        first = today if since is None else min(to_wall_time(since, zone).date(), today)
        return local_days(first, today, zone)
    if (month := _month(name, today)) is not None:
        return calendar_month(month, zone)
    year = _year(name, today)
    return None if year is None else calendar_year(year, zone)


def period_label(name: str, now: datetime, zone: ZoneInfo) -> str | None:
    """Return what a period beside those of days is called; None for days that were chosen."""
    today = to_wall_time(now, zone).date()
    if name in CALENDAR:
        return tr(CALENDAR[name])
    if (month := _month(name, today)) is not None:
        return spoken().day(month, DateForm.WHOLE_MONTH)
    return None if _year(name, today) is None else name


def neighbour(name: str, window: ReportPeriod, now: datetime, steps: int) -> Mapping[str, str | None] | None:
    """Return the parameters of the period that many steps after this one; None for all time, and for the future.

    Months and years lead to months and years, all others to as many days.
    """
    today = to_wall_time(now, window.zone).date()
    first, last = window.days
    if name == "all" or (steps > 0 and last >= today):
        return None
    if (month := _month(name, today)) is not None:
        number = 12 * month.year + month.month - 1 + steps
        return _named(f"{number // 12:04}-{number % 12 + 1:02}", today)
    if (year := _year(name, today)) is not None:
        return _named(f"{year.year + steps:04}", today)
    days = steps * (last - first + _DAY)
    start, end = first + days, last + days
    if start.year < FIRST_YEAR or end.year > LAST_YEAR:
        return None
    return {"period": None, "start_date": str(start), "end_date": str(end)}


def _named(name: str, today: date) -> Mapping[str, str | None] | None:
    """Return the parameters of a month or a year, by the name that says where it is from today."""
    if not FIRST_YEAR <= int(name[:4]) <= LAST_YEAR:
        return None
    names: Mapping[date | None, str] = {_month(key, today): key for key in ("month", "last_month")}
    names = names if _MONTH.fullmatch(name) else {_year("year", today): "year"}
    day = _month(name, today) or _year(name, today)
    return {"period": names.get(day, name), "start_date": None, "end_date": None}


def _month(name: str, today: date) -> date | None:
    """Return the first day of the month of a name."""
    relative: Mapping[str, Callable[[], date]] = {
        "month": lambda: today.replace(day=1),
        "last_month": lambda: (today.replace(day=1) - _DAY).replace(day=1),
    }
    if name in relative:
        return relative[name]()
    match_ = _MONTH.fullmatch(name)
    if match_ is None or not 1 <= int(match_[2]) <= 12 or not FIRST_YEAR <= int(match_[1]) <= LAST_YEAR:  # noqa: PLR2004
        return None
    return date(int(match_[1]), int(match_[2]), 1)


def _year(name: str, today: date) -> date | None:
    """Return the first day of the year of a name."""
    if name == "year":
        return date(today.year, 1, 1)
    is_year = _YEAR.fullmatch(name) and FIRST_YEAR <= int(name) <= LAST_YEAR
    return date(int(name), 1, 1) if is_year else None
