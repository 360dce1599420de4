"""Web vitals: loading and reaction times of pages for real visitors (docs/read/breakdowns.md)."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from attrs import field, frozen

from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits

METRICS = ("lcp", "cls", "inp", "fcp", "ttfb")
# A measure is good up to the first value and poor above the second; milliseconds, except for the score `cls`
# (https://web.dev/articles/vitals, https://web.dev/articles/fcp, https://web.dev/articles/ttfb).
THRESHOLDS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"lcp": (2500, 4000), "cls": (0.1, 0.25), "inp": (200, 500), "fcp": (1800, 3000), "ttfb": (800, 1800)}
)

# Measures are counted in ten-thousandths, and those above 1e9, which is eleven days in milliseconds, as 1e9.
RESOLUTION = 10_000
LARGEST = 1e9
# The classes of `measure_class`: their steps in ten-thousandths, the measures from which the next applies, and how far
# the classes of two steps are apart.
CLASS_STEPS: Sequence[int] = [digit * 10**zeros for zeros in range(12) for digit in (1, 2, 5)][:34]
NEXT_STEP_FROM: Sequence[float] = [100 * step / RESOLUTION for step in CLASS_STEPS[1:]]
CLASSES_OF_A_STEP = 256


class Rating(StrEnum):
    """The rating of a measure."""

    GOOD = "good"
    FAIR = "needs improvement"
    POOR = "poor"


@frozen
class Percentiles:
    """The 50th, 75th and 90th percentile of the measures, rounded up."""

    p50: float
    p75: float
    p90: float


def _in_order(metrics: Mapping[str, Percentiles]) -> Mapping[str, Percentiles]:
    return {name: metrics[name] for name in METRICS if name in metrics}


@frozen
class PageVitals:
    """The vitals of one page, or of all pages if `pathname` is None.

    The metrics are in the order of `METRICS`; those without a measure are absent.
    """

    pathname: str | None
    samples: int
    metrics: Mapping[str, Percentiles] = field(converter=_in_order)


def measure_class(measure: float) -> int:
    """Return the class of a measure; counts by class are small enough to be kept for each day.

    The measure is taken up to the next multiple of the largest of 1, 2, 5, 10, 20, 50, … ten-thousandths that is at
    most a hundredth of it; below 0.01 to the next ten-thousandth. The class is 256 times the index of that step plus
    the number of steps; it never decreases as the measure grows.
    """
    index = bisect_right(NEXT_STEP_FROM, measure)
    return index * CLASSES_OF_A_STEP - (-_ten_thousandths(measure) // CLASS_STEPS[index])


def largest_of(class_number: int) -> float:
    """Return the largest measure of a class, at most 1 % above any other; thresholds are the largest of theirs."""
    index, steps = divmod(class_number, CLASSES_OF_A_STEP)
    return CLASS_STEPS[index] * steps / RESOLUTION


def rounded_up(measure: float) -> float:
    """Return the largest measure of the same class; both are on the same side of every threshold."""
    return largest_of(measure_class(measure))


def _ten_thousandths(measure: float) -> int:
    """Return the fewest ten-thousandths that are no less than a measure.

    A double has no exact ten-thousandths: 0.0007 times 10,000 is more than 7. So the nearest number is compared with
    the measure as a quotient, which is the double that its decimal is read as.
    """
    counted = min(measure, LARGEST)
    nearest = round(counted * RESOLUTION)
    return nearest + (nearest / RESOLUTION < counted)


def rate(metric: str, value: float) -> Rating:
    """Return the rating of a measure by the published thresholds."""
    good, poor = THRESHOLDS[metric]
    return Rating.GOOD if value <= good else Rating.POOR if value > poor else Rating.FAIR


def measure(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> list[PageVitals]:
    """Return the vitals of all pages together, then of each page: most measures first, ties by path.

    Percentiles are actual measures (nearest rank, without interpolation), rounded up.
    """
    pages: dict[str, list[Hit]] = {}
    for visit in select_visits(hits, period, filters):
        for recorded in hits_in_period(visit, period):
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
