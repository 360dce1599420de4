"""Trends: how often something happened over time, as small as a word."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.web.numbers import exact
from footfall.adapters.web.view import View
from footfall.domain.error_report import ErrorBucket

HEIGHT = 20
# What happened once among thousands is to be seen, too.
_LEAST = 1.5


@frozen
class Trend:
    """A drawing that is as wide as there are buckets, and the same in words for those who do not see it."""

    path: str
    width: int
    words: str


def trend(buckets: Sequence[ErrorBucket], view: View) -> Trend:
    """Return the trend of buckets of the view's size, of which there is at least one."""
    most = max(buckets, key=lambda bucket: bucket.count)
    heights = [_height(bucket.count, most.count) for bucket in buckets]
    steps = "".join(f"V{HEIGHT - height:g}H{number}" for number, height in enumerate(heights, 1))
    words = f"At most {exact(most.count)}: {view.written(most.time)}. Lately {exact(buckets[-1].count)}: "
    return Trend(f"M0 {HEIGHT}{steps}V{HEIGHT}Z", len(buckets), words + view.written(buckets[-1].time))


def _height(count: int, most: int) -> float:
    return max(_LEAST, round(HEIGHT * count / most, 1)) if count else 0
