"""A period: the stretch of time that a report is about."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.zone import first_instant, wall

_DAY = timedelta(days=1)


@frozen
class Period:
    """All instants from `start` up to, but not including, `end`: aware UTC datetimes."""

    start: datetime
    end: datetime

    @classmethod
    def local_days(cls, first: date, last: date, zone: ZoneInfo) -> Self:
        """Return the days from `first` to `last`, both included, as clocks in the zone count them.

        A day begins with the first instant that clocks show as that day: at 01:00 where midnight is skipped.
        """
        return cls(_day_start(first, zone), _day_start(last + _DAY, zone))

    @classmethod
    def past_minutes(cls, now: datetime, *, start: int, end: int) -> Self:
        """Return the time from `start` minutes ago to `end` minutes ago."""
        return cls(*(now.astimezone(UTC) - timedelta(minutes=minutes) for minutes in (start, end)))

    @property
    def length(self) -> timedelta:
        """How long the period lasts."""
        return self.end - self.start

    def __contains__(self, instant: datetime) -> bool:
        return self.start <= instant < self.end

    def just_before(self) -> "Period":
        """Return the period of the same length that ends where this one starts."""
        return Period(self.start - self.length, self.start)


def last_days(now: datetime, zone: ZoneInfo, *, days: int) -> tuple[date, date]:
    """Return the first and the last of as many local days as given, today being the last."""
    today = wall(now, zone).date()
    return today - (days - 1) * _DAY, today


def days_before(first: date, last: date) -> tuple[date, date]:
    """Return the first and the last of as many days as from `first` to `last`, right before them."""
    days = last - first + _DAY
    return first - days, first - _DAY


def _day_start(day: date, zone: ZoneInfo) -> datetime:
    return first_instant(datetime.combine(day, time.min), zone)
