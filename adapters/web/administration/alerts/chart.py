"""The chart of a preview: the values of the windows as one line, the firings as stretches behind it, annotations."""

from collections.abc import Sequence

from attrs import frozen

from footfall.domain.alerts.window_judgement import FiredSpan, Judged
from footfall.domain.annotations.annotations import Annotation, Annotations
from footfall.domain.periods.period import Period

WIDTH = 720
HEIGHT = 180
# Windows that share a column are drawn from their lowest to their highest value.
COLUMNS = 360
# The latest of the period: more lines could not be told apart.
MOST_MARKS = 100


@frozen(kw_only=True)
class PreviewChart:
    """The parts of an SVG of WIDTH by HEIGHT.

    These are a path, stretches (left, width) of firings, lines (left, annotation), and the highest value.
    """

    path: str
    firings: Sequence[tuple[float, float]]
    marks: Sequence[tuple[float, Annotation]]
    highest: float

    @classmethod
    def of(
        cls, judged: Sequence[Judged], fired: Sequence[FiredSpan], annotations: Annotations
    ) -> "PreviewChart":
        """Return the chart of judged windows, of which at least one has a value."""
        highest = max((judgement.value for judgement in judged if judgement.value is not None), default=0.0)
        starts = {judgement.window.period.start: index for index, judgement in enumerate(judged)}
        firings = []
        for span in fired:
            first = starts[span.opened.window.period.start]
            last = len(judged) if span.ended is None else starts[span.ended.window.period.start] + 1
            firings.append((_x(first, judged), max(_x(last, judged) - _x(first, judged), 2.0)))
        return cls(
            path=_path(judged, highest or 1.0),
            firings=firings,
            marks=_marks(judged, annotations),
            highest=highest,
        )


def _marks(judged: Sequence[Judged], annotations: Annotations) -> list[tuple[float, Annotation]]:
    if not judged:
        return []
    start, end = judged[0].window.period.start, judged[-1].window.period.end
    latest = annotations.within(Period(start, end))[-MOST_MARKS:]
    return [
        (round(WIDTH * ((annotation.at - start) / (end - start)), 1), annotation) for annotation in latest
    ]


def _path(judged: Sequence[Judged], highest: float) -> str:
    size = max(1, -(-len(judged) // COLUMNS))
    parts: list[str] = []
    is_apart = True
    for first in range(0, len(judged), size):
        values = [
            judgement.value for judgement in judged[first : first + size] if judgement.value is not None
        ]
        x = _x(first, judged)
        for value in dict.fromkeys((max(values), min(values))) if values else ():
            y = HEIGHT - HEIGHT * value / highest
            parts.append(f"{'M' if is_apart else 'L'}{x:.1f} {y:.1f}")
            is_apart = False
        is_apart = is_apart or not values
    return " ".join(parts)


def _x(index: int, judged: Sequence[Judged]) -> float:
    return round(WIDTH * index / max(len(judged), 1), 1)
