"""Web vitals: how fast pages load and react for real visitors, page by page."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

from footfall.domain.filter import Filter
from footfall.domain.hit import Hit, HitType, RecordedHit
from footfall.domain.period import Period
from footfall.domain.selection import select, within

METRICS = ("lcp", "cls", "inp", "fcp", "ttfb")
# Up to the first a measure is good, above the second it is poor; milliseconds, `cls` a score
# (https://web.dev/articles/vitals, https://web.dev/articles/fcp, https://web.dev/articles/ttfb).
THRESHOLDS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"lcp": (2500, 4000), "cls": (0.1, 0.25), "inp": (200, 500), "fcp": (1800, 3000), "ttfb": (800, 1800)}
)


# Measures are told apart to a ten-thousandth, and up to eleven days.
RESOLUTION = 10_000
LARGEST = 1e9
_STEPS: Sequence[int] = [digit * 10**zeros for zeros in range(12) for digit in (1, 2, 5)][:34]
_FINE_ENOUGH_FROM = [100 * step for step in _STEPS[1:]]


class Rating(StrEnum):
    """How good a measure is."""

    GOOD = "good"
    FAIR = "needs improvement"
    POOR = "poor"


@frozen
class Percentiles:
    """The measures that half, three quarters and nine tenths of the page loads did not exceed, rounded up."""

    p50: float
    p75: float
    p90: float


@frozen
class PageVitals:
    """The vitals of one page, or with `pathname` None of all pages; a metric without a measure is not in it."""

    pathname: str | None
    samples: int
    metrics: Mapping[str, Percentiles]


def measure_class(measure: float) -> int:
    """Return the class of a measure: so many measures have few classes, which can be counted day by day.

    The measure is taken to the nearest ten-thousandth, halves to the even one, and then up to the next multiple of the
    largest of 1, 2, 5, 10, 20, 50, … ten-thousandths that is at most a hundredth of it. The class is the place of that
    number times 256, and how many of them it is: larger measures never have a smaller class.
    """
    exact = round(min(measure, LARGEST) * RESOLUTION)
    place = bisect_right(_FINE_ENOUGH_FROM, exact)
    return place * 256 - (-exact // _STEPS[place])


def largest_of(class_number: int) -> float:
    """Return the largest measure of a class, at most 1 % above any other; thresholds are the largest of theirs."""
    place, many = divmod(class_number, 256)
    return _STEPS[place] * many / RESOLUTION


def rounded_up(measure: float) -> float:
    """Return the largest measure of the same class; it is above a threshold exactly when the measure is."""
    return largest_of(measure_class(measure))


def rate(metric: str, value: float) -> Rating:
    """Return how good a measure is by the published thresholds."""
    good, poor = THRESHOLDS[metric]
    return Rating.GOOD if value <= good else Rating.POOR if value > poor else Rating.FAIR


def measure(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> list[PageVitals]:
    """Return the vitals of all pages, then of each page: the most measured first, ties by the path.

    Percentiles are measures that were made (nearest rank, nothing interpolated), rounded up.
    """
    pages: dict[str, list[Hit]] = {}
    for visit in select(hits, period, filters):
        for recorded in within(visit, period):
            if recorded.hit.type is HitType.PERFORMANCE:
                pages.setdefault(recorded.hit.pathname or "", []).append(recorded.hit)
    by_page = sorted(pages.items(), key=lambda item: (-len(item[1]), item[0]))
    everything = [hit for _, measured in by_page for hit in measured]
    return [_vitals(None, everything)] * bool(everything) + [_vitals(page, them) for page, them in by_page]


def _vitals(pathname: str | None, hits: Sequence[Hit]) -> PageVitals:
    measures = {
        name: sorted(getattr(hit, name) for hit in hits if getattr(hit, name) is not None) for name in METRICS
    }
    return PageVitals(
        pathname,
        len(hits),
        {
            name: Percentiles(*(_nearest(values, part) for part in (50, 75, 90)))
            for name, values in measures.items()
            if values
        },
    )


def _nearest(ordered: Sequence[float], percent: int) -> float:
    return rounded_up(ordered[-(-len(ordered) * percent // 100) - 1])
