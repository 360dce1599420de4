"""Periods: the stretches of time that reports cover."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.periods.timezone import first_instant, to_wall_time

_DAY = timedelta(days=1)


@frozen
class Period:
    """All instants from `start` up to, but not including, `end`: aware UTC datetimes."""

    start: datetime
    end: datetime

    @classmethod
    def local_days(cls, first: date, last: date, zone: ZoneInfo) -> Self:
        """Return the days from `first` to `last`, both included, by the clocks of the zone.

        A day begins with the first instant that clocks show as that day: at 01:00 where a clock change skips midnight.
        """
        return cls(_day_start(first, zone), _day_start(last + _DAY, zone))

    @classmethod
    def past_minutes(cls, now: datetime, *, start: int, end: int) -> Self:
        """Return the time from `start` minutes ago to `end` minutes ago."""
        return cls(*(now.astimezone(UTC) - timedelta(minutes=minutes) for minutes in (start, end)))

    @property
    def length(self) -> timedelta:
        """The duration of the period."""
        return self.end - self.start

    def __contains__(self, instant: datetime) -> bool:
        return self.start <= instant < self.end

    def just_before(self) -> "Period":
        """Return the period of the same length that ends where this one starts."""
        return Period(self.start - self.length, self.start)


def last_days(now: datetime, zone: ZoneInfo, *, days: int) -> tuple[date, date]:
    """Return the first and the last of this many local days that end with today."""
    today = to_wall_time(now, zone).date()
    return today - (days - 1) * _DAY, today


def days_before(first: date, last: date) -> tuple[date, date]:
    """Return the first and the last day of the stretch of equal length right before `first` to `last`."""
    days = last - first + _DAY
    return first - days, first - _DAY


def _day_start(day: date, zone: ZoneInfo) -> datetime:
    return first_instant(datetime.combine(day, time.min), zone)
