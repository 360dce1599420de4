"""Sparklines: counts or sums over time, with the deploys of that time."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

from attrs import frozen

from footfall.adapters.web.formatting import exact
from footfall.adapters.web.reports.view import View
from footfall.domain.annotations.annotations import Annotation

HEIGHT = 20
# So many deploys are named at most; all of them are drawn.
_NAMED = 5
# The least value is visible beside one of thousands.
_MIN_HEIGHT = 1.5


@frozen
class Trend:
    """An SVG path with one unit of width for each bucket, one with the lines of deploys, and a description of both."""

    path: str
    width: int
    description: str
    deploys: str = ""


def trend(
    points: Sequence[tuple[datetime, int | Decimal]],
    view: View,
    shown: Callable[[int | Decimal], str] = exact,
    *,
    deploys: Sequence[Annotation] = (),
) -> Trend:
    """Return the trend of one or more buckets of the view's size; values below zero have no height.

    `deploys` are the marks of the view's period, ascending.
    """
    peak, most = max(points, key=lambda point: point[1])
    last, latest = points[-1]
    heights = [_height(value, most) for _, value in points]
    steps = "".join(f"V{HEIGHT - height:g}H{number}" for number, height in enumerate(heights, 1))
    values = (
        f"Highest {shown(most)}: {view.bucket_label(peak)}. Latest {shown(latest)}: {view.bucket_label(last)}"
    )
    starts = [time for time, _ in points[1:]]
    marked = [(bisect_right(starts, one.at), one) for one in deploys]
    lines = "".join(f"M{index + 0.5:g} 0V{HEIGHT}" for index in dict.fromkeys(index for index, _ in marked))
    named = [f"{one.release}: {view.bucket_label(points[index][0])}" for index, one in marked[-_NAMED:]]
    earlier = f", and {len(marked) - _NAMED:,} earlier ones" if len(marked) > _NAMED else ""
    words = f". Deploys: {', '.join(reversed(named))}{earlier}" if marked else ""
    return Trend(f"M0 {HEIGHT}{steps}V{HEIGHT}Z", len(points), values + words, lines)


def _height(value: int | Decimal, most: int | Decimal) -> float:
    return max(_MIN_HEIGHT, round(float(HEIGHT * value / most), 1)) if value > 0 else 0
