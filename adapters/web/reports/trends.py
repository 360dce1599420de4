"""Sparklines: counts or sums over time."""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

from attrs import frozen

from footfall.adapters.web.formatting import exact
from footfall.adapters.web.reports.view import View

HEIGHT = 20
# The least value is visible beside one of thousands.
_MIN_HEIGHT = 1.5


@frozen
class Trend:
    """An SVG path with one unit of width for each bucket, and a description for screen readers."""

    path: str
    width: int
    description: str


def trend(
    points: Sequence[tuple[datetime, int | Decimal]],
    view: View,
    shown: Callable[[int | Decimal], str] = exact,
) -> Trend:
    """Return the trend of one or more buckets of the view's size; values below zero have no height."""
    peak, most = max(points, key=lambda point: point[1])
    last, latest = points[-1]
    heights = [_height(value, most) for _, value in points]
    steps = "".join(f"V{HEIGHT - height:g}H{number}" for number, height in enumerate(heights, 1))
    return Trend(
        f"M0 {HEIGHT}{steps}V{HEIGHT}Z",
        len(points),
        f"Highest {shown(most)}: {view.bucket_label(peak)}. Latest {shown(latest)}: {view.bucket_label(last)}",
    )


def _height(value: int | Decimal, most: int | Decimal) -> float:
    return max(_MIN_HEIGHT, round(float(HEIGHT * value / most), 1)) if value > 0 else 0
