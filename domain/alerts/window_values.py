"""Values by buckets that stay when sessions go on: first conversions and paints (docs/alerts/alerts.md#metrics)."""

from collections import Counter
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from footfall.domain.goals.goal import Rule
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.buckets import BucketSize, bucket_finder, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.web_vitals import rounded_up


def first_conversions(
    rule: Rule,
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    filters: Iterable[Filter] = (),
) -> list[int]:
    """Return for each bucket of the period how many sessions satisfied the rule for the first time in it.

    Raises:
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    buckets = split_into_buckets(period, size, zone)
    find, satisfied = bucket_finder(buckets), matcher(rule)
    counts: Counter[int] = Counter()
    for visit in select_visits(hits, period, filters):
        times = [recorded.hit.occurred_at for recorded in visit.hits if satisfied(recorded.hit)]
        if times and min(times) in period:
            counts[find(min(times))] += 1
    return [counts[index] for index in range(len(buckets))]


def largest_paints(
    hits: Iterable[RecordedHit],
    period: Period,
    size: BucketSize,
    zone: ZoneInfo,
    filters: Iterable[Filter] = (),
) -> list[float | None]:
    """Return for each bucket of the period the 75th percentile of its measures of LCP in milliseconds.

    It is an actual measure, rounded up as in `web_vitals`; None in a bucket without measures.

    Raises:
        Invalid: there would be more than 2,000 buckets; the error names `bucket`.

    """
    buckets = split_into_buckets(period, size, zone)
    find = bucket_finder(buckets)
    measures: dict[int, list[float]] = {}
    for visit in select_visits(hits, period, filters):
        for recorded in hits_in_period(visit, period):
            hit = recorded.hit
            if hit.type is HitType.PERFORMANCE and hit.lcp is not None:
                measures.setdefault(find(hit.occurred_at), []).append(hit.lcp)
    return [_percentile(measures[index]) if index in measures else None for index in range(len(buckets))]


def _percentile(measures: list[float]) -> float:
    return rounded_up(sorted(measures)[-(-len(measures) * 75 // 100) - 1])
