"""The visitors of the last day by hour, of 7 or 30 days by day, and of the time before.

See docs/read/reports.md#all-sites.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.period import Period
from footfall.domain.periods.quarter_hour import QUARTER, quarter_of
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import overview

HOUR = timedelta(hours=1)
HOURS = 24


class RecentSpan(StrEnum):
    """The span of the visitors of a list of sites."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"


# The length of a part of each span, and the number of its parts.
_PARTS: Mapping[RecentSpan, tuple[timedelta, int]] = MappingProxyType(
    {RecentSpan.DAY: (HOUR, HOURS), RecentSpan.WEEK: (24 * HOUR, 7), RecentSpan.MONTH: (24 * HOUR, 30)}
)


def parse_span(text: str | None) -> RecentSpan:
    """Return the span of the parameter `period`; 24 hours when it is absent.

    Raises:
        Invalid: there is no such span; the error names them.

    """
    if text is not None and text not in set(RecentSpan):
        raise Invalid({"period": [f"must be one of {', '.join(RecentSpan)}"]})
    return RecentSpan.DAY if text is None else RecentSpan(text)


@frozen
class RecentDays:
    """Some equal parts of time that end with the quarter of an hour of an instant, and as much time before them."""

    start: datetime
    step: timedelta = HOUR
    count: int = HOURS

    @classmethod
    def at(cls, now: datetime, span: RecentSpan = RecentSpan.DAY) -> "RecentDays":
        """Return the span that ends with the quarter of an hour of `now`."""
        step, count = _PARTS[span]
        return cls(quarter_of(now) + QUARTER - count * step, step, count)

    @property
    def period(self) -> Period:
        """The parts together."""
        return Period(self.start, self.start + self.count * self.step)

    @property
    def before(self) -> Period:
        """The time before them, as long as they are."""
        return Period(self.start - self.count * self.step, self.start)

    @property
    def parts(self) -> tuple[Period, ...]:
        """The parts one by one, ascending: hours of a day, days of more."""
        starts = (self.start + number * self.step for number in range(self.count))
        return tuple(Period(start, start + self.step) for start in starts)


@frozen(kw_only=True)
class RecentVisitors:
    """Distinct visitors with a hit of any type in a span, in as much time before, and in each part of the span."""

    visitors: int = 0
    before: int = 0
    parts: tuple[int, ...] = (0,) * HOURS

    @property
    def change(self) -> float | None:
        """The difference by the visitors before, not rounded; None when there were none."""
        return (self.visitors - self.before) / self.before if self.before else None


def recent_visitors(
    hits: Iterable[RecordedHit], days: RecentDays, filters: Sequence[Filter] = ()
) -> RecentVisitors:
    """Return the visitors of the days in the sessions that the filters select, from the hits of one site."""
    recorded = list(hits)
    return RecentVisitors(
        visitors=overview(recorded, days.period, filters).visitors,
        before=overview(recorded, days.before, filters).visitors,
        parts=tuple(overview(recorded, part, filters).visitors for part in days.parts),
    )
