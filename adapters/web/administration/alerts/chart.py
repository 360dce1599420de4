"""The chart of a preview: values and limits over time, with axes, the firings, and annotations."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.adapters.web.formatting import day_of_year, short
from footfall.domain.alerts.firing_decision import FiredSpan
from footfall.domain.alerts.judged_windows import Judged
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.annotations.annotations import Annotation, Annotations
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import first_instant, to_wall_time

WIDTH = 720
HEIGHT = 180
# Windows that share a column are drawn from their lowest to their highest value.
COLUMNS = 360
# The range of usual values is drawn from its lowest to its highest value in each of these: about a day.
USUAL_COLUMNS = 90
# The latest of the period: more lines could not be told apart.
MOST_MARKS = 100
DATES = 5
# A limit that is farther above the values would leave nothing of them to see.
MOST_ABOVE = 3
# Marks of firings that are nearer to each other, in parts of the width, would cover each other.
MARK_WIDTH = 0.008
# Smaller values are drawn as zero.
LEAST = 1e-6

_THOUSAND = 1e3
_TRILLION = 1e12


@frozen(kw_only=True)
class PreviewChart:
    """The parts of an SVG of WIDTH by HEIGHT.

    These are the paths of the values and of a limit, the outline of the usual range, stretches (left, width) of
    firings, lines (left, annotation), and the highest value. Axes and marks of firings are placed in percent of the
    width: labels of the scale (distance from the top in parts of the height, value), dates (left, day), marks (left,
    firing).
    `limit_above` is the limit when it is too far above the values to be drawn.
    """

    path: str
    limit: str
    usual: str
    firings: Sequence[tuple[float, float]]
    openings: Sequence[tuple[float, FiredSpan]]
    marks: Sequence[tuple[float, Annotation]]
    scale: Sequence[tuple[float, str]]
    dates: Sequence[tuple[float, str]]
    highest: float
    limit_above: float | None

    @classmethod
    def of(
        cls,
        plan: AlertPlan,
        judged: Sequence[Judged],
        fired: Sequence[FiredSpan],
        annotations: Annotations,
        zone: ZoneInfo,
    ) -> "PreviewChart":
        """Return the chart of judged windows, of which at least one has a value."""
        highest = max((judgement.value for judgement in judged if judgement.value is not None), default=0.0)
        bounds = [judgement.bounds for judgement in judged if judgement.bounds is not None]
        limits = [value for bound in bounds for value in (bound.lower, bound.upper) if value is not None]
        limit = max(limits, default=0.0)
        is_drawn = limit <= MOST_ABOVE * highest or highest < LEAST
        is_fixed = not plan.condition.is_relative
        if is_drawn:
            top = _rounded_up(max(highest, limit), is_count=plan.metric.is_count)
        else:
            # The usual range of busy hours is cut off, and that of calm ones is seen.
            top = _rounded_up(highest * (1 if is_fixed else MOST_ABOVE), is_count=plan.metric.is_count)
        return cls(
            path=_path([judgement.value for judgement in judged], top),
            limit=f"M0 {_y(limit, top):.1f}H{WIDTH}" if is_fixed and is_drawn else "",
            usual="" if is_fixed else _usual_range(judged, top),
            firings=_stretches(judged, fired),
            openings=_openings(judged, fired),
            marks=_marks(judged, annotations),
            scale=[(0.0, _label(top)), (0.5, _label(top / 2)), (1.0, "0")],
            dates=_dates(judged, zone),
            highest=highest,
            limit_above=limit if is_fixed and not is_drawn else None,
        )


def _usual_range(judged: Sequence[Judged], top: float) -> str:
    """Return the outline of a range that a value is outside of only where it is unusual."""
    size = max(1, -(-len(judged) // USUAL_COLUMNS))
    outline = ""
    for first in range(0, len(judged), size):
        bounds = [window.bounds for window in judged[first : first + size] if window.bounds is not None]
        if bounds:
            low = min(bound.lower or 0.0 for bound in bounds)
            high = max(top if bound.upper is None else bound.upper for bound in bounds)
            left, right = _x(first, judged), _x(min(first + size, len(judged)), judged)
            outline += f"M{left} {_y(high, top):.1f}H{right}V{_y(low, top):.1f}H{left}Z"
    return outline


def _y(value: float, top: float) -> float:
    # What is outside of the chart is cut off by it.
    return HEIGHT - HEIGHT * min(max(value / top, -1.0), 2.0)


def _rounded_up(value: float, *, is_count: bool) -> float:
    """Return the next number of one digit by a power of ten whose half makes a short label, too."""
    least = 2.0 if is_count else LEAST
    if value <= least:
        return least if value > 0 or is_count else 1.0
    power = 10.0 ** math.floor(math.log10(value))
    rounded = next((digit * power for digit in (1, 2, 3, 4, 5, 6, 8, 10) if digit * power >= value), value)
    return rounded if math.isfinite(rounded) else value


def _label(value: float) -> str:
    return short(value) if _THOUSAND <= value < _TRILLION else f"{value:.3g}"


def _stretches(judged: Sequence[Judged], fired: Sequence[FiredSpan]) -> list[tuple[float, float]]:
    starts = {judgement.window.period.start: index for index, judgement in enumerate(judged)}
    stretches: list[tuple[float, float]] = []
    for span in fired:
        first = starts[span.opened.window.period.start]
        last = len(judged) if span.ended is None else starts[span.ended.window.period.start] + 1
        left = _x(first, judged)
        right = max(_x(last, judged), left + 2.0)
        if stretches and left <= sum(stretches[-1]):
            left = stretches.pop()[0]
        stretches.append((left, round(right - left, 1)))
    return stretches


def _openings(judged: Sequence[Judged], fired: Sequence[FiredSpan]) -> list[tuple[float, FiredSpan]]:
    openings: list[tuple[float, FiredSpan]] = []
    for span in fired:
        left = _percent(span.opened.window.period.start, judged)
        if not openings or left - openings[-1][0] >= 100 * MARK_WIDTH:
            openings.append((left, span))
    return openings


def _marks(judged: Sequence[Judged], annotations: Annotations) -> list[tuple[float, Annotation]]:
    latest = annotations.within(_whole(judged))[-MOST_MARKS:]
    return [(round(WIDTH * _percent(annotation.at, judged) / 100, 1), annotation) for annotation in latest]


def _dates(judged: Sequence[Judged], zone: ZoneInfo) -> list[tuple[float, str]]:
    """Return midnights that divide the windows evenly, by the clocks of the site."""
    whole = _whole(judged)
    first, last = (to_wall_time(at, zone) for at in (whole.start, whole.end))
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    days = [midnight + timedelta(days=day) for day in range((last - midnight).days + 1)]
    inside = [day for day in days if day >= first]
    places = [round(part * (len(inside) - 1) / (DATES - 1)) for part in range(DATES)] if inside else []
    chosen = dict.fromkeys(inside[place] for place in places)
    return [(_percent(first_instant(at, zone), judged), day_of_year(at)) for at in chosen]


def _whole(judged: Sequence[Judged]) -> Period:
    return Period(judged[0].window.period.start, judged[-1].window.period.end)


def _percent(at: datetime, judged: Sequence[Judged]) -> float:
    whole = _whole(judged)
    return round(100 * ((at - whole.start) / (whole.end - whole.start)), 2)


def _path(values: Sequence[float | None], top: float) -> str:
    """Return a path through the highest and lowest value of each column; a column without values interrupts it."""
    size = max(1, -(-len(values) // COLUMNS))
    parts: list[str] = []
    is_apart = True
    for first in range(0, len(values), size):
        some = [value for value in values[first : first + size] if value is not None]
        x = _x(first, values)
        for value in dict.fromkeys((max(some), min(some))) if some else ():
            parts.append(f"{'M' if is_apart else 'L'}{x:.1f} {_y(value, top):.1f}")
            is_apart = False
        is_apart = is_apart or not some
    return " ".join(parts)


def _x(index: int, windows: Sequence[object]) -> float:
    return round(WIDTH * index / max(len(windows), 1), 1)
