"""The windows of a rule, and whether each meets its condition: by a threshold, or by the weeks before.

See docs/alerts/alerts.md.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from operator import attrgetter
from statistics import median
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.alerts.plan import AlertCondition, AlertPlan, AlertWindow
from footfall.domain.periods.buckets import split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import first_instant, to_wall_time

WEEKS = 8
ENOUGH_WEEKS = 4
# The spread of a normal distribution is so many times its median absolute deviation.
MAD_SCALE = 1.4826
# The least spread of values that are no counts, as a part of the median.
LEAST_PART = 0.1
# Bounds from earlier weeks are asked for and kept for all windows of so many hours.
STRETCH_HOURS = 3

_WEEK = timedelta(days=7)
# Windows of a week; fewer than 2,000, the most buckets of a report.
_PIECE = timedelta(days=14)
_MORE = timedelta(seconds=1)
_MOMENT = timedelta(microseconds=1)


@frozen
class Window:
    """A window of a rule; `wall` is its beginning by the clocks of the site, without a zone."""

    period: Period
    wall: datetime


@frozen
class Measured:
    """The value of a metric in a window; None when there is none, such as a rate without sessions."""

    window: Window
    value: float | None


@frozen
class Bounds:
    """Values below `lower` or above `upper` meet the condition of a rule."""

    lower: float | None
    upper: float | None

    def excludes(self, value: float) -> bool:
        """Whether a value meets the condition."""
        return (self.lower is not None and value < self.lower) or (
            self.upper is not None and value > self.upper
        )


@frozen
class Judged:
    """A window with its value and bounds; a window without one of them is not judged."""

    window: Window
    value: float | None
    bounds: Bounds | None

    @property
    def meets(self) -> bool | None:
        """Whether the window meets the condition of the rule; None when it is not judged."""
        return None if self.value is None or self.bounds is None else self.bounds.excludes(self.value)


def windows_in(period: Period, window: AlertWindow, zone: ZoneInfo) -> list[Window]:
    """Return the windows that lie inside of a period, ascending."""
    windows: list[Window] = []
    start = period.start
    while start < period.end:
        end = min(start + _PIECE, period.end)
        # A little more, so that a window that the end cuts is not taken for a whole one.
        buckets = split_into_buckets(Period(start, end + _MORE), window.size, zone)
        periods = [bucket.period for bucket in buckets if bucket.time == bucket.period.start]
        whole = [span for span in periods if span.end <= end]
        windows += [Window(span, to_wall_time(span.start, zone)) for span in whole]
        if not whole:
            break
        start = whole[-1].end
    return windows


def earlier_periods(plan: AlertPlan, period: Period, zone: ZoneInfo) -> list[Period]:
    """Return the same times of the weeks before a period that its bounds come from, ascending; none for thresholds."""
    weeks = WEEKS if plan.condition.is_relative else 0
    start, end = to_wall_time(period.start, zone), to_wall_time(period.end, zone)
    return [
        Period(first_instant(start - week * _WEEK, zone), first_instant(end - week * _WEEK, zone))
        for week in range(weeks, 0, -1)
    ]


def measured_periods(plan: AlertPlan, period: Period, zone: ZoneInfo) -> list[Period]:
    """Return what has to be measured to judge the windows of a period: itself, and the same times of earlier weeks.

    Periods that overlap or touch are one.
    """
    return _merged([*earlier_periods(plan, period, zone), period])


def stretch_around(period: Period, zone: ZoneInfo) -> Period:
    """Return the stretches of three hours by the clocks of the zone that a period touches, as one period."""
    first, last = (_stretch_start(at, zone) for at in (period.start, period.end - _MOMENT))
    return Period(first_instant(first, zone), first_instant(last + timedelta(hours=STRETCH_HOURS), zone))


def with_values_since(measured: Iterable[Measured], since: datetime | None) -> list[Measured]:
    """Return measured windows, without values for those that begin before the first hit of the site, at `since`."""
    return [
        sample if since is not None and sample.window.period.start >= since else Measured(sample.window, None)
        for sample in measured
    ]


def judge(
    plan: AlertPlan, measured: Iterable[Measured], period: Period, *, since: datetime | None
) -> list[Judged]:
    """Return the judged windows of a period, from the measured windows of `measured_periods`.

    `since` is the time of the first hit of the site; windows that begin before it have no value.
    """
    samples = with_values_since(measured, since)
    by_wall = values_by_wall(samples)
    inside = [sample for sample in samples if period.start <= sample.window.period.start < period.end]
    return [Judged(sample.window, sample.value, bounds_of(plan, sample.window, by_wall)) for sample in inside]


def values_by_wall(measured: Iterable[Measured]) -> dict[datetime, float | None]:
    """Return the values of windows by their beginnings by the clocks of the site."""
    by_wall: dict[datetime, float | None] = {}
    for sample in measured:
        # An hour that a clock change repeats counts once, as it came first.
        by_wall.setdefault(sample.window.wall, sample.value)
    return by_wall


def bounds_of(plan: AlertPlan, window: Window, by_wall: Mapping[datetime, float | None]) -> Bounds | None:
    """Return the bounds of a window; None when fewer than four of the eight weeks before have a value."""
    match plan.condition:
        case AlertCondition.ABOVE:
            return Bounds(None, plan.value)
        case AlertCondition.BELOW:
            return Bounds(plan.value, None)
    past = [by_wall.get(window.wall - week * _WEEK) for week in range(1, WEEKS + 1)]
    values = [value for value in past if value is not None]
    if len(values) < ENOUGH_WEEKS:
        return None
    middle = median(values)
    reach = plan.value * spread(values, is_count=plan.metric.is_count)
    low = plan.condition is not AlertCondition.UNUSUALLY_HIGH
    high = plan.condition is not AlertCondition.UNUSUALLY_LOW
    return Bounds(middle - reach if low else None, middle + reach if high else None)


def spread(values: Sequence[float], *, is_count: bool) -> float:
    """Return the usual distance from the median: the scaled median absolute deviation.

    It is at least the square root of the median, and 1, for counts, and a tenth of the median for other values.
    """
    middle = median(values)
    deviation = MAD_SCALE * median(abs(value - middle) for value in values)
    least = max(math.sqrt(middle), 1.0) if is_count else LEAST_PART * middle
    return max(deviation, least)


class Gap(Enum):
    """Why a window is not judged; the first is the nearest to a judgement."""

    FEW_WEEKS = "fewer than four of the eight weeks before have a value"
    NO_VALUE = "it has no value"
    NO_DATA = "it begins before the first event of the site"


@frozen
class JudgedWeeks:
    """The weeks of a backtest, back from its last window: all of them, and those with a judged window.

    `gaps` counts the others by the first reason that one of their windows has.
    """

    total: int
    judged: int
    gaps: Mapping[Gap, int]


def judged_weeks(judged: Sequence[Judged], *, since: datetime | None) -> JudgedWeeks:
    """Return how many weeks of a backtest could be judged; `since` is the time of the first hit of the site."""
    weeks: dict[int, set[Gap | None]] = {}
    for judgement in judged:
        week = (judged[-1].window.wall - judgement.window.wall) // _WEEK
        weeks.setdefault(week, set()).add(gap_of(judgement, since))
    gaps = Counter(next(gap for gap in Gap if gap in week) for week in weeks.values() if None not in week)
    return JudgedWeeks(len(weeks), len(weeks) - gaps.total(), gaps)


def gap_of(judgement: Judged, since: datetime | None) -> Gap | None:
    """Return why a window is not judged; None for one that is."""
    if judgement.meets is not None:
        return None
    if since is None or judgement.window.period.start < since:
        return Gap.NO_DATA
    return Gap.NO_VALUE if judgement.value is None else Gap.FEW_WEEKS


def _stretch_start(at: datetime, zone: ZoneInfo) -> datetime:
    wall = to_wall_time(at, zone)
    return wall.replace(hour=wall.hour - wall.hour % STRETCH_HOURS, minute=0, second=0, microsecond=0)


def _merged(periods: Sequence[Period]) -> list[Period]:
    merged: list[Period] = []
    for period in sorted(periods, key=attrgetter("start")):
        if merged and period.start <= merged[-1].end:
            merged[-1] = Period(merged[-1].start, max(merged[-1].end, period.end))
        else:
            merged.append(period)
    return merged
