"""Recurring reports: days, weeks and months that are over, and when the report on one is due."""

from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import first_instant, to_wall_time

DUE_AT = time(7)
# After a longer outage a report is left out. The queue of mails knows their ids for a week.
GIVEN_UP_AFTER = timedelta(days=2)
_DAY = timedelta(days=1)


class Interval(StrEnum):
    """The interval of a report: each day, each week from Monday to Sunday, or each month."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


@frozen
class FinishedPeriod:
    """A day, a week or a month that is over, the one before, and the instant at which its report is due."""

    first: date
    last: date
    period: Period
    before: Period
    zone: ZoneInfo
    due_at: datetime


def last_finished(interval: Interval, now: datetime, zone: ZoneInfo) -> FinishedPeriod:
    """Return the latest day, week or month whose report is due: at 7:00 by the zone's clocks on the day after it."""
    end = _start_of(interval, to_wall_time(now, zone).date())
    if _due_at(end, zone) > now:
        end = _start_of(interval, end - _DAY)
    start = _start_of(interval, end - _DAY)
    start_before = _start_of(interval, start - _DAY)
    return FinishedPeriod(
        first=start,
        last=end - _DAY,
        period=Period.local_days(start, end - _DAY, zone),
        before=Period.local_days(start_before, start - _DAY, zone),
        zone=zone,
        due_at=_due_at(end, zone),
    )


def _start_of(interval: Interval, day: date) -> date:
    """Return the first day of the week or the month of a day, or the day itself."""
    match interval:
        case Interval.DAILY:
            return day
        case Interval.WEEKLY:
            return day - day.weekday() * _DAY
        case Interval.MONTHLY:
            return day.replace(day=1)


def _due_at(day: date, zone: ZoneInfo) -> datetime:
    return first_instant(datetime.combine(day, DUE_AT), zone)
