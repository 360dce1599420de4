"""The period of a report and the one before, with their time zone (docs/reports.md#periods-and-buckets)."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.domain.periods.period import Period, days_before, last_days
from footfall.domain.periods.timezone import first_instant, to_wall_time

DEFAULT_DAYS = 30


@frozen
class ReportPeriod:
    """A period, the one that it is compared with, and the time zone of both.

    That is the preceding period of the same length unless another one is asked for. Before local days comes the same
    number of local days. Days that are chosen need not be `alike`: as many as those of this period.
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


def past_minutes(now: datetime, zone: ZoneInfo, *, start: int, end: int) -> ReportPeriod:
    """Return the time from `start` minutes ago to `end` minutes ago."""
    period = Period.past_minutes(now, start=start, end=end)
    return ReportPeriod(period, period.just_before(), zone)


def compared_with_days(window: ReportPeriod, first: date, last: date) -> ReportPeriod:
    """Return the period compared with these local days, both included."""
    before = Period.local_days(first, last, window.zone)
    start, end = _days_of(window)
    return evolve(window, before=before, alike=last - first == end - start)


def compared_with_year_before(window: ReportPeriod) -> ReportPeriod:
    """Return local days compared with the same dates of the year before; 29 February becomes 28 February."""
    # They are as many, but for a leap day.
    return evolve(compared_with_days(window, *map(_year_before, _days_of(window))), alike=True)


def _days_of(window: ReportPeriod) -> tuple[date, date]:
    """Return the first and the last local day of a period."""
    last = window.period.end - timedelta(microseconds=1)
    return to_wall_time(window.period.start, window.zone).date(), to_wall_time(last, window.zone).date()


def _year_before(day: date) -> date:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day)
