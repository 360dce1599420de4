"""Sparklines of errors over time."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.web.formatting import exact
from footfall.adapters.web.reports.view import View
from footfall.domain.error_tracking.aggregation import ErrorBucket

HEIGHT = 20
# A single occurrence is visible beside a bucket with thousands.
_MIN_HEIGHT = 1.5


@frozen
class Trend:
    """An SVG path with one unit of width for each bucket, and a description for screen readers."""

    path: str
    width: int
    description: str


def trend(buckets: Sequence[ErrorBucket], view: View) -> Trend:
    """Return the trend of one or more buckets of the view's size."""
    most = max(buckets, key=lambda bucket: bucket.count)
    heights = [_height(bucket.count, most.count) for bucket in buckets]
    steps = "".join(f"V{HEIGHT - height:g}H{number}" for number, height in enumerate(heights, 1))
    peak = f"Highest {exact(most.count)}: {view.bucket_label(most.time)}. Latest {exact(buckets[-1].count)}: "
    return Trend(f"M0 {HEIGHT}{steps}V{HEIGHT}Z", len(buckets), peak + view.bucket_label(buckets[-1].time))


def _height(count: int, most: int) -> float:
    return max(_MIN_HEIGHT, round(HEIGHT * count / most, 1)) if count else 0
