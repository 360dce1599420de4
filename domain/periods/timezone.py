"""Time zones: conversion between wall time and instants."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from footfall.domain.exceptions import Invalid

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,63}(/[A-Za-z0-9][A-Za-z0-9_+-]{0,63}){0,2}", re.ASCII)
# Files beside the zones that do not belong to the IANA database or count leap seconds.
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory", "posix", "right"})
_SECOND = timedelta(seconds=1)


def parse_zone(name: str) -> ZoneInfo:
    """Return the time zone of an IANA name such as `Europe/Berlin`.

    Raises:
        Invalid: there is no such zone; the error names `time_zone`.

    """
    if _NAME.fullmatch(name) and name.partition("/")[0] not in _NO_ZONES:
        # For an unknown name, a file that is no zone, a directory.
        with suppress(KeyError, ValueError, OSError):
            return ZoneInfo(name)
    raise Invalid({"time_zone": ["must be an IANA time zone such as UTC or Europe/Berlin"]})


def zone_or_utc(name: str) -> ZoneInfo:
    """Return the time zone of a name that was known when it was kept; UTC where this machine does not know it."""
    try:
        return parse_zone(name)
    except Invalid:
        return ZoneInfo("UTC")


def to_wall_time(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return the naive wall time in the zone at an instant."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def first_instant(shown: datetime, zone: ZoneInfo) -> datetime:
    """Return the first instant (UTC) at which a clock in the zone shows a naive time.

    For a time that a clock change skips, it is the instant of the change.
    """
    before, after = (shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    if to_wall_time(after, zone) == shown:
        return after
    return clock_change(before, after, zone) or after


def clock_change(after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the instant of the zone's clock change later than `after` and up to `until`, or None.

    There must be at most one change between the two.
    """
    # Clock changes happen on whole seconds, so the search over seconds is exact.
    low, high = after.replace(microsecond=0), until.replace(microsecond=0)
    offset = _offset(low, zone)
    if _offset(high, zone) == offset:
        return None
    while high - low > _SECOND:
        middle = low + ((high - low) / 2 // _SECOND) * _SECOND
        low, high = (middle, high) if _offset(middle, zone) == offset else (low, middle)
    return high


def _offset(instant: datetime, zone: ZoneInfo) -> timedelta:
    return to_wall_time(instant, zone) - instant.replace(tzinfo=None)
