"""The visitors of the last day, hour by hour, and of the day before it (docs/reports.md#all-sites)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER, quarter_of
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.overview import overview

HOUR = timedelta(hours=1)
HOURS = 24


@frozen
class RecentDays:
    """The 24 hours that end with the quarter of an hour of an instant, and the 24 hours before them."""

    start: datetime

    @classmethod
    def at(cls, now: datetime) -> "RecentDays":
        """Return the days that end with the quarter of an hour of `now`."""
        return cls(quarter_of(now) + QUARTER - HOURS * HOUR)

    @property
    def period(self) -> Period:
        """The last 24 hours."""
        return Period(self.start, self.start + HOURS * HOUR)

    @property
    def before(self) -> Period:
        """The 24 hours before them."""
        return Period(self.start - HOURS * HOUR, self.start)

    @property
    def hours(self) -> tuple[Period, ...]:
        """The last 24 hours one by one, ascending."""
        starts = (self.start + number * HOUR for number in range(HOURS))
        return tuple(Period(start, start + HOUR) for start in starts)


@frozen(kw_only=True)
class RecentVisitors:
    """Distinct visitors with a hit of any type in 24 hours, in the 24 hours before, and in each hour of the first."""

    visitors: int = 0
    before: int = 0
    hours: tuple[int, ...] = (0,) * HOURS

    @property
    def change(self) -> float | None:
        """The difference by the visitors before, not rounded; None when there were none."""
        return (self.visitors - self.before) / self.before if self.before else None


def recent_visitors(hits: Iterable[RecordedHit], days: RecentDays) -> RecentVisitors:
    """Return the visitors of the days, from the hits of one site."""
    known = list(hits)
    return RecentVisitors(
        visitors=overview(known, days.period).visitors,
        before=overview(known, days.before).visitors,
        hours=tuple(overview(known, hour).visitors for hour in days.hours),
    )
