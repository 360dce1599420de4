"""Time zones: between what a wall clock shows and the instants at which it does."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from footfall.domain.errors import Invalid

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,63}(/[A-Za-z0-9][A-Za-z0-9_+-]{0,63}){0,2}", re.ASCII)
# Files beside the zones that are none of the IANA database, or that count leap seconds.
_NO_ZONES = frozenset({"localtime", "posixrules", "Factory", "posix", "right"})
_SECOND = timedelta(seconds=1)


def parse_zone(name: str) -> ZoneInfo:
    """Return the time zone of an IANA name such as `Europe/Berlin`.

    Raises:
        Invalid: there is no such zone; the fault names `time_zone`.

    """
    if _NAME.fullmatch(name) and name.partition("/")[0] not in _NO_ZONES:
        # An unknown name, a file that is no zone, a directory.
        with suppress(KeyError, ValueError, OSError):
            return ZoneInfo(name)
    raise Invalid({"time_zone": ["must be an IANA time zone such as UTC or Europe/Berlin"]})


def wall(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return what a clock in the zone shows at an instant, as a naive datetime."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def first_instant(shown: datetime, zone: ZoneInfo) -> datetime:
    """Return the first instant (UTC) at which a clock in the zone shows a naive time.

    When the clock is set forward over it: the instant at which the clock is set.
    """
    before, after = (shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (1, 0))
    if wall(after, zone) == shown:
        return after
    return clock_change(before, after, zone) or after


def clock_change(after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the instant later than `after`, up to `until`, at which the clocks of the zone are set, or None.

    Between the two there must be at most one.
    """
    # Clocks are set on whole seconds, so a search among them finds the exact instant.
    low, high = after.replace(microsecond=0), until.replace(microsecond=0)
    offset = _offset(low, zone)
    if _offset(high, zone) == offset:
        return None
    while high - low > _SECOND:
        middle = low + ((high - low) / 2 // _SECOND) * _SECOND
        low, high = (middle, high) if _offset(middle, zone) == offset else (low, middle)
    return high


def _offset(instant: datetime, zone: ZoneInfo) -> timedelta:
    return wall(instant, zone) - instant.replace(tzinfo=None)
