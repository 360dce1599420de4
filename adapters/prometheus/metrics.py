"""Meters that count in shared memory."""

from bisect import bisect_left

from footfall.adapters.prometheus.families import (
    COMMIT_HITS,
    COMMIT_SECONDS,
    EVENTS,
    MAILS,
    REFUSED_REPORTS,
    REPORTS,
    REQUEST_SECONDS,
    REQUESTS,
    WORKERS,
    MetricFamily,
)
from footfall.adapters.prometheus.regions import Region

_REQUEST_BUCKETS = REQUEST_SECONDS.buckets
_REQUEST_SUM = REQUEST_SECONDS.width - 1


class SharedMetrics:
    """Meters over one region; a request costs a quarter of a microsecond, an event that is stored nothing."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._values = region.values
        self._requests: dict[tuple[str, str, int], tuple[int, int]] = {}
        self._counted: dict[tuple[MetricFamily, tuple[str, ...]], float] = {}
        self.gauge(WORKERS, 1.0)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        key = (method, route, status)
        slots = self._requests.get(key)
        if slots is None:
            slots = self._requests[key] = (
                self._region.slot(REQUESTS, method, route, str(status)),
                self._region.slot(REQUEST_SECONDS, route),
            )
        values, (count, histogram) = self._values, slots
        values[count] += 1.0
        values[histogram + bisect_left(_REQUEST_BUCKETS, seconds)] += 1.0
        values[histogram + _REQUEST_SUM] += seconds

    def event(self, outcome: str, reason: str) -> None:
        """Count one tracking event that was not stored."""
        self._values[self._region.slot(EVENTS, outcome, reason)] += 1.0

    def commit(self, hits: int, seconds: float) -> None:
        """Count one commit and the hits that it stored."""
        self._values[self._region.slot(EVENTS, "stored", "")] += hits
        self._observe(COMMIT_HITS, hits)
        self._observe(COMMIT_SECONDS, seconds)

    def report(self, reason: str) -> None:
        """Count one report by why it was not answered."""
        self._values[self._region.slot(REPORTS, reason)] += 1.0

    def refused_report(self, kind: str) -> None:
        """Count one refused answer by its asker."""
        self._values[self._region.slot(REFUSED_REPORTS, kind)] += 1.0

    def mail(self, outcome: str) -> None:
        """Count one attempt to send a mail."""
        self._values[self._region.slot(MAILS, outcome)] += 1.0

    def gauge(self, family: MetricFamily, value: float, *labels: str) -> None:
        """Set a gauge of this process."""
        self._values[self._region.slot(family, *labels)] = value

    def reached(self, family: MetricFamily, total: float, *labels: str) -> None:
        """Advance a counter to a total that a pool or cache has counted since this process began."""
        before = self._counted.get((family, labels), 0.0)
        self._counted[family, labels] = total
        self._values[self._region.slot(family, *labels)] += total - before

    def _observe(self, family: MetricFamily, value: float) -> None:
        slot = self._region.slot(family)
        self._values[slot + bisect_left(family.buckets, value)] += 1.0
        self._values[slot + family.width - 1] += value
