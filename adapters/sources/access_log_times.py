"""Times of access logs: of the combined format, and of logs in JSON (docs/track/imports/access-logs.md#times)."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1
    )
}
# The fields of JSON logs for the time: nginx has no names of its own, these are the usual ones; Caddy's is `ts`.
_NAMES = ("time_iso8601", "@timestamp", "timestamp", "time_local", "time", "msec", "ts", "date")
# The place of the first slash in a notation with slashes: behind the day, or behind the year.
_AFTER_DAY, _AFTER_YEAR = 2, 4
# Numbers up to which a time since 1970 is in the unit: no number of one unit is a time of our days in another.
_UNITS = ((10**11, 1), (10**14, 10**3), (10**17, 10**6))
_NANOSECONDS = 10**9


class NoTime(Exception):
    """The fault of a line without a time that can be read."""


def combined_time(text: str) -> datetime:
    """Return the time of `10/Oct/2000:13:55:36 -0700`.

    Raises:
        NoTime: the text is another one.

    """
    try:
        midnight = _midnight(text[:11], text[20:])
        return midnight + timedelta(0, int(text[12:14]) * 3600 + int(text[15:17]) * 60 + int(text[18:20]))
    except (KeyError, ValueError, OverflowError):
        raise NoTime("its time is none") from None


# Requests of one day have the same.
@lru_cache(maxsize=64)
def _midnight(day: str, zone: str) -> datetime:
    ahead = timedelta(hours=int(zone[2:4]), minutes=int(zone[4:6]))
    offset = timezone(-ahead if zone[1] == "-" else ahead)
    at = datetime(int(day[7:11]), _MONTHS[day[3:6]], int(day[:2]), tzinfo=offset)
    return at.astimezone(UTC)


def json_time(document: Mapping[str, Any]) -> datetime:
    """Return the time of a line in JSON, under the first of the names that it has.

    Raises:
        NoTime: it has none, or one in another notation.

    """
    name = next((name for name in _NAMES if name in document), None)
    if name is None:
        raise NoTime(f"it has no time: expected is one of {', '.join(_NAMES)}")
    try:
        return _time(document[name])
    except (TypeError, ValueError, OverflowError, OSError):
        raise NoTime(
            f"its {name} is in no notation that is read: write ISO 8601, such as Caddy's rfc3339, nginx's time_iso8601"
        ) from None


def _time(value: Any) -> datetime:
    if isinstance(value, str):
        if value.find("/") == _AFTER_DAY:
            return combined_time(value)
        if value.find("/") == _AFTER_YEAR:
            return _in_utc(value.replace("/", "-"))
        if not value.replace(".", "", 1).isdecimal():
            return _in_utc(value)
        value = float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    unit = next((unit for most, unit in _UNITS if value < most), _NANOSECONDS)
    return datetime.fromtimestamp(value / unit, UTC)


def _in_utc(text: str) -> datetime:
    """Return a time of ISO 8601; without a zone it is one of UTC."""
    at = datetime.fromisoformat(text)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
