"""The intervals of the chart: those that suit a period, and the labels of their buckets."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from footfall.adapters.web.formatting import clock, day
from footfall.application.languages.language import DateForm, marked, spoken, tr
from footfall.domain.periods.buckets import MAX_BUCKETS, BucketSize
from footfall.domain.periods.period import Period

INTERVALS: Mapping[BucketSize, str] = MappingProxyType(
    marked(
        {
            BucketSize.HOUR: "By hour",
            BucketSize.DAY: "By day",
            BucketSize.WEEK: "By week",
            BucketSize.MONTH: "By month",
        }
    )
)
_DAY = timedelta(days=1)
# The longest periods that are divided into these, unless another interval is chosen; longer ones are into months.
_USUAL: Mapping[BucketSize, timedelta] = MappingProxyType(
    {BucketSize.HOUR: 2 * _DAY, BucketSize.DAY: 92 * _DAY, BucketSize.WEEK: 800 * _DAY}
)
# The lengths of periods that give some buckets, and no more than can be told apart.
_SUITABLE: Mapping[BucketSize, tuple[timedelta, timedelta]] = MappingProxyType(
    {
        BucketSize.HOUR: (timedelta(0), 14.5 * _DAY),
        BucketSize.DAY: (1.5 * _DAY, 800 * _DAY),
        # Such a period begins and ends within a week.
        BucketSize.WEEK: (7.5 * _DAY, timedelta(weeks=MAX_BUCKETS - 2)),
        BucketSize.MONTH: (31.5 * _DAY, timedelta.max),
    }
)
_LABELS: Mapping[BucketSize, Callable[[datetime], str]] = MappingProxyType(
    {
        BucketSize.HOUR: lambda at: f"{day(at)}, {clock(at)}",
        BucketSize.DAY: day,
        BucketSize.WEEK: lambda at: tr("week of {day}", day=day(at)),
        BucketSize.MONTH: lambda at: spoken().day(at, DateForm.MONTH),
    }
)


def sizes_for(period: Period) -> tuple[BucketSize, ...]:
    """Return the sizes of buckets that suit a period, the smallest first."""
    return tuple(size for size, (least, most) in _SUITABLE.items() if least < period.length <= most)


def size_for(period: Period, chosen: BucketSize | None) -> BucketSize:
    """Return the chosen size where it suits the period, else the usual one."""
    if chosen in sizes_for(period):
        return chosen
    return next((size for size, most in _USUAL.items() if period.length <= most), BucketSize.MONTH)


def bucket_label(size: BucketSize, at: datetime) -> str:
    """Return the label of the bucket of a local time."""
    return _LABELS[size](at)
