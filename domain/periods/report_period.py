"""The period of a report and the one before, with their time zone (docs/reports.md#periods-and-buckets)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.domain.periods.period import Period, days_before, last_days
from footfall.domain.periods.timezone import to_wall_time

DEFAULT_DAYS = 30


@frozen
class ReportPeriod:
    """A period, the one that it is compared with, and the time zone of both.

    That is the preceding period of the same length unless another one is asked for. Before local days comes the same
    number of local days.
    """

    period: Period
    before: Period
    zone: ZoneInfo

    @property
    def span(self) -> Period:
        """The time from the beginning of the earlier one of both to the end of the later one."""
        start, end = min(self.before.start, self.period.start), max(self.before.end, self.period.end)
        return Period(start, end)


def local_days(first: date, last: date, zone: ZoneInfo) -> ReportPeriod:
    """Return the days from `first` to `last`, both included."""
    before = Period.local_days(*days_before(first, last), zone)
    return ReportPeriod(Period.local_days(first, last, zone), before, zone)


def last_30_days(now: datetime, zone: ZoneInfo) -> ReportPeriod:
    """Return the whole local day of `now` and the 29 days before."""
    return local_days(*last_days(now, zone, days=DEFAULT_DAYS), zone)


def past_minutes(now: datetime, zone: ZoneInfo, *, start: int, end: int) -> ReportPeriod:
    """Return the time from `start` minutes ago to `end` minutes ago."""
    period = Period.past_minutes(now, start=start, end=end)
    return ReportPeriod(period, period.just_before(), zone)


def compared_with_days(window: ReportPeriod, first: date, last: date) -> ReportPeriod:
    """Return the period compared with these local days, both included."""
    return evolve(window, before=Period.local_days(first, last, window.zone))


def compared_with_year_before(window: ReportPeriod) -> ReportPeriod:
    """Return local days compared with the same dates of the year before; 29 February becomes 28 February."""
    last = window.period.end - timedelta(microseconds=1)
    days = (to_wall_time(at, window.zone).date() for at in (window.period.start, last))
    return compared_with_days(window, *map(_year_before, days))


def _year_before(day: date) -> date:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day)
