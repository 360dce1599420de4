"""Sparklines: counts or sums over time, with the deploys of that time."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal

from attrs import frozen

from footfall.adapters.web.formatting import exact
from footfall.adapters.web.reports.view import View
from footfall.application.languages.language import tr
from footfall.domain.annotations.annotations import Annotation

HEIGHT = 20
# The most deploys that are named; all of them are drawn.
_NAMED = 5
# The least value is visible beside one of thousands.
_MIN_HEIGHT = 1.5


@frozen
class Trend:
    """An SVG path of some width, one with the lines of deploys, and a description of both."""

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
    """Return the trend of one or more buckets of the view's size, each a unit wide; values below zero have no height.

    `deploys` are the marks of the view's period, ascending.
    """
    peak, most = max(points, key=lambda point: point[1])
    last, latest = points[-1]
    heights = [_height(value, most) for _, value in points]
    steps = "".join(f"V{HEIGHT - height:g}H{number}" for number, height in enumerate(heights, 1))
    values = tr(
        "Highest {most}: {peak}. Latest {latest}: {last}",
        most=shown(most),
        peak=view.bucket_label(peak),
        latest=shown(latest),
        last=view.bucket_label(last),
    )
    starts = [time for time, _ in points]
    lines = deploy_lines(deploys, starts, middle=0.5)
    words = deploy_words(deploys, lambda at: view.bucket_label(starts[_index(starts, at)]))
    return Trend(f"M0 {HEIGHT}{steps}V{HEIGHT}Z", len(points), values + words, lines)


def deploy_lines(deploys: Sequence[Annotation], starts: Sequence[datetime], *, middle: float = 0) -> str:
    """Return the lines of deploys as an SVG path: one for each bucket with a deploy, at its `middle`.

    `starts` are those of the buckets, ascending; each is a unit wide.
    """
    indices = dict.fromkeys(_index(starts, deploy.at) for deploy in deploys)
    return "".join(f"M{index + middle:g} 0V{HEIGHT}" for index in indices)


def deploy_words(deploys: Sequence[Annotation], time: Callable[[datetime], str]) -> str:
    """Return the end of a description that names the latest deploys with their times; an empty text for none."""
    if not deploys:
        return ""
    named = [f"{deploy.release}: {time(deploy.at)}" for deploy in reversed(deploys[-_NAMED:])]
    if len(deploys) <= _NAMED:
        return tr(". Deploys: {named}", named=", ".join(named))
    return tr(
        ". Deploys: {named}, and {count} earlier ones",
        named=", ".join(named),
        count=exact(len(deploys) - _NAMED),
    )


def _index(starts: Sequence[datetime], at: datetime) -> int:
    return max(0, bisect_right(starts, at) - 1)


def _height(value: int | Decimal, most: int | Decimal) -> float:
    return max(_MIN_HEIGHT, round(float(HEIGHT * value / most), 1)) if value > 0 else 0
