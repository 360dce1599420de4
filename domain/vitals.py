"""Web vitals: how fast pages load and react for real visitors, page by page."""

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


class Rating(StrEnum):
    """How good a measure is."""

    GOOD = "good"
    FAIR = "needs improvement"
    POOR = "poor"


@frozen
class Percentiles:
    """The measures that half, three quarters and nine tenths of the visits did not exceed; none is made up."""

    p50: float
    p75: float
    p90: float


@frozen
class PageVitals:
    """The vitals of one page, or with `pathname` None of all pages; a metric without a measure is not in it."""

    pathname: str | None
    samples: int
    metrics: Mapping[str, Percentiles]


def rate(metric: str, value: float) -> Rating:
    """Return how good a measure is by the published thresholds."""
    good, poor = THRESHOLDS[metric]
    return Rating.GOOD if value <= good else Rating.POOR if value > poor else Rating.FAIR


def measure(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> list[PageVitals]:
    """Return the vitals of all pages, then of each page: the most measured first, ties by the path."""
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
    return ordered[-(-len(ordered) * percent // 100) - 1]
