"""Buckets: a period split into the minutes, hours, days, … of a time zone.

See docs/read/reports.md#periods-and-buckets.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import clock_change, first_instant, to_wall_time

MAX_BUCKETS = 2000
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)
_DECEMBER = 12


class BucketSize(StrEnum):
    """The length of a bucket in wall time."""

    MINUTE = "minute"
    FIVE_MINUTES = "five_minutes"
    TEN_MINUTES = "ten_minutes"
    FIFTEEN_MINUTES = "fifteen_minutes"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


_CLOCK_MINUTES = {
    BucketSize.MINUTE: 1,
    BucketSize.FIVE_MINUTES: 5,
    BucketSize.TEN_MINUTES: 10,
    BucketSize.FIFTEEN_MINUTES: 15,
    BucketSize.HOUR: 60,
}


@frozen
class Bucket:
    """A part of a period.

    `time` is the instant at which the minute, hour, day, … begins; `period` is the part of it within the whole
    period. The first bucket can begin before the whole period.
    """

    time: datetime
    period: Period


def parse_bucket_size(text: str | None) -> BucketSize:
    """Return the size of the query parameter `bucket`; the default is an hour.

    Raises:
        Invalid: the text is no size; the error names the sizes.

    """
    try:
        return BucketSize.HOUR if text is None else BucketSize(text)
    except ValueError:
        raise Invalid({"bucket": [f"must be one of {', '.join(BucketSize)}"]}) from None


def split_into_buckets(period: Period, size: BucketSize, zone: ZoneInfo) -> list[Bucket]:
    """Return the buckets of a period, ascending, without gaps; none for an empty period.

    An hour or part of one that a clock change repeats gives two buckets, one that it skips gives none. A day, week,
    month or year begins with the first instant at which clocks show its first midnight, or have skipped it.

    Raises:
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    boundaries = _clock_starts if size in _CLOCK_MINUTES else _calendar_starts
    pieces = (
        Bucket(start, Period(max(start, period.start), min(end, period.end)))
        for start, end in pairwise(boundaries(period, size, zone))
    )
    inside = (piece for piece in pieces if piece.period.start < piece.period.end)
    buckets = list(islice(inside, MAX_BUCKETS + 1))
    if len(buckets) > MAX_BUCKETS:
        raise Invalid(
            {"bucket": [f"must cut the period into at most {MAX_BUCKETS:,} buckets; take a larger one"]}
        )
    return buckets


def bucket_finder(buckets: Sequence[Bucket]) -> Callable[[datetime], int]:
    """Return a function that gives the index of the bucket of an instant of the period."""
    starts = [bucket.period.start for bucket in buckets]
    return lambda instant: bisect_right(starts, instant) - 1


def _calendar_starts(period: Period, size: BucketSize, zone: ZoneInfo) -> Iterator[datetime]:
    day = _calendar_floor(to_wall_time(period.start, zone).date(), size)
    start = first_instant(datetime.combine(day, time.min), zone)
    while start < period.end:
        yield start
        day = _calendar_next(day, size)
        start = first_instant(datetime.combine(day, time.min), zone)
    yield start


def _calendar_floor(day: date, size: BucketSize) -> date:
    match size:
        case BucketSize.WEEK:
            return day - timedelta(days=day.weekday())
        case BucketSize.MONTH:
            return day.replace(day=1)
        case BucketSize.YEAR:
            return day.replace(month=1, day=1)
        case _:
            return day


def _calendar_next(day: date, size: BucketSize) -> date:
    match size:
        case BucketSize.WEEK:
            return day + timedelta(days=7)
        case BucketSize.MONTH:
            return day.replace(year=day.year + day.month // _DECEMBER, month=day.month % _DECEMBER + 1)
        case BucketSize.YEAR:
            return day.replace(year=day.year + 1)
        case _:
            return day + timedelta(days=1)


def _clock_starts(period: Period, size: BucketSize, zone: ZoneInfo) -> Iterator[datetime]:
    minutes = _CLOCK_MINUTES[size]
    start = _clock_start(period.start, minutes, zone)
    while start < period.end:
        yield start
        start = _clock_end(start, minutes, zone)
        for _ in range(_even_steps(start, minutes, zone)):
            if start >= period.end:
                break
            yield start
            start += timedelta(minutes=minutes)
    yield start


def _even_steps(start: datetime, minutes: int, zone: ZoneInfo) -> int:
    """Return how many buckets from here on are certainly whole and need no conversion, which is most of the cost."""
    shown = to_wall_time(start, zone)
    # In no time zone were clocks ever set twice within three days.
    if shown != _clock_floor(shown, minutes) or clock_change(start, start + _DAY, zone):
        return 0
    return _DAY // timedelta(minutes=minutes)


def _clock_start(instant: datetime, minutes: int, zone: ZoneInfo) -> datetime:
    shown = to_wall_time(instant, zone)
    label = _clock_floor(shown, minutes)
    start = instant - (shown - label)
    change = clock_change(start, instant, zone)
    if change is None:
        return start
    before = to_wall_time(change - _SECOND, zone)
    return (
        _clock_start(change - _SECOND, minutes, zone)
        if label <= before < to_wall_time(change, zone)
        else change
    )


def _clock_end(start: datetime, minutes: int, zone: ZoneInfo) -> datetime:
    shown = to_wall_time(start, zone)
    following = _clock_floor(shown, minutes) + timedelta(minutes=minutes)
    end = start + (following - shown)
    change = clock_change(start, end, zone)
    if change is None:
        return end
    # A clock set forward within the bucket stays in it; a clock set back begins the bucket once more.
    before = to_wall_time(change - _SECOND, zone)
    return _clock_end(change, minutes, zone) if before < to_wall_time(change, zone) < following else change


def _clock_floor(shown: datetime, minutes: int) -> datetime:
    return shown.replace(minute=shown.minute - shown.minute % minutes, second=0, microsecond=0)
