"""The period of a report and the one before, with their time zone (docs/read/reports.md#periods-and-buckets)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.domain.periods.period import Period, days_before, last_days
from footfall.domain.periods.timezone import first_instant, to_wall_time

DEFAULT_DAYS = 30
_DAY = timedelta(days=1)
_WEEK = timedelta(weeks=1)


@frozen
class ReportPeriod:
    """A period, the one that it is compared with, and the time zone of both.

    That is the preceding period of the same length unless another one is asked for. Before local days comes the same
    number of local days, and before a month or a year the one before. Days that are chosen need not be `alike`: as
    many as those of this period.
    """

    period: Period
    before: Period
    zone: ZoneInfo
    alike: bool = True

    @property
    def span(self) -> Period:
        """The time from the beginning of the earlier one of both to the end of the later one."""
        start, end = min(self.before.start, self.period.start), max(self.before.end, self.period.end)
        return Period(start, end)

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last local day of the period."""
        last = self.period.end - timedelta(microseconds=1)
        return to_wall_time(self.period.start, self.zone).date(), to_wall_time(last, self.zone).date()

    def to_same_time(self, now: datetime) -> "ReportPeriod":
        """Return the period compared with as much of the other one as has elapsed of this one at `now`.

        The other one ends as many local days after its start, at the same time of the clocks: at the first instant that
        shows it where clocks repeat an hour, and at their change where they skip one. It is whole when this one is over
        or has not begun, and when they are not alike.
        """
        if not self.period.start < now < self.period.end or not self.alike:
            return self
        start, earlier = (
            to_wall_time(period.start, self.zone).date() for period in (self.period, self.before)
        )
        shown = to_wall_time(now, self.zone) - (start - earlier)
        end = max(self.before.start, min(first_instant(shown, self.zone), self.before.end))
        return evolve(self, before=Period(self.before.start, end))

    def elapsed(self, now: datetime) -> Period:
        """Return the part of the period that has elapsed at `now`; a period that has not begun as a whole."""
        return (
            Period(self.period.start, min(self.period.end, now)) if self.period.start < now else self.period
        )


def local_days(first: date, last: date, zone: ZoneInfo) -> ReportPeriod:
    """Return the days from `first` to `last`, both included."""
    before = Period.local_days(*days_before(first, last), zone)
    return ReportPeriod(Period.local_days(first, last, zone), before, zone)


def last_30_days(now: datetime, zone: ZoneInfo) -> ReportPeriod:
    """Return the whole local day of `now` and the 29 days before."""
    return local_days(*last_days(now, zone, days=DEFAULT_DAYS), zone)


def calendar_month(day: date, zone: ZoneInfo) -> ReportPeriod:
    """Return the whole month of a day, compared with the month before."""
    first = day.replace(day=1)
    following, previous = (first + 31 * _DAY).replace(day=1), (first - _DAY).replace(day=1)
    return ReportPeriod(
        Period.local_days(first, following - _DAY, zone),
        Period.local_days(previous, first - _DAY, zone),
        zone,
    )


def calendar_year(day: date, zone: ZoneInfo) -> ReportPeriod:
    """Return the whole year of a day, compared with the year before."""
    first, previous = date(day.year, 1, 1), date(day.year - 1, 1, 1)
    return ReportPeriod(
        Period.local_days(first, date(day.year, 12, 31), zone),
        Period.local_days(previous, first - _DAY, zone),
        zone,
    )


def past_minutes(now: datetime, zone: ZoneInfo, *, start: int, end: int) -> ReportPeriod:
    """Return the time from `start` minutes ago to `end` minutes ago."""
    period = Period.past_minutes(now, start=start, end=end)
    return ReportPeriod(period, period.just_before(), zone)


def compared_with_days(window: ReportPeriod, first: date, last: date) -> ReportPeriod:
    """Return the period compared with these local days, both included."""
    before = Period.local_days(first, last, window.zone)
    start, end = window.days
    return evolve(window, before=before, alike=last - first == end - start)


def compared_with_year_before(window: ReportPeriod) -> ReportPeriod:
    """Return local days compared with the same dates of the year before; 29 February becomes 28 February."""
    # They are as many, but for a leap day.
    return evolve(compared_with_days(window, *map(_year_before, window.days)), alike=True)


def compared_with_weekdays_before(window: ReportPeriod) -> ReportPeriod:
    """Return local days compared with the latest ones before that are as many and begin with the same weekday."""
    first, last = window.days
    weeks = -((last - first + _DAY) // -_WEEK)
    return compared_with_days(window, first - weeks * _WEEK, last - weeks * _WEEK)


def compared_with_weekdays_of_year_before(window: ReportPeriod) -> ReportPeriod:
    """Return local days compared with those 52 weeks before, which are the same weekdays."""
    first, last = window.days
    return compared_with_days(window, first - 52 * _WEEK, last - 52 * _WEEK)


def _year_before(day: date) -> date:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day)
