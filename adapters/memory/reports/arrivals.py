"""Hits that came between two answers, in memory."""

from collections import Counter
from itertools import takewhile

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.citations.changes import Arrivals, Origin, origin_of
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit


@frozen
class MemoryArrivals:
    """ArrivalReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def count(self, site_id: int, span: Period, *, since: int, until: int) -> dict[Origin, int]:
        """Return how many hits came in between, by their origin."""
        return dict(
            Counter(
                _origin(self._log, one)
                for one in self._log.hits
                if since < one.position <= until
                and one.hit.site_id == site_id
                and one.hit.occurred_at in span
            )
        )


def with_arrivals(log: MemoryTrafficLog, traffic: int, arrivals: Arrivals) -> list[RecordedHit]:
    """Return the hits up to a position and some later ones."""
    return [
        one
        for one in takewhile(lambda one: one.position <= arrivals.until, log.hits)
        if one.position <= traffic or _origin(log, one) in arrivals.origins
    ]


def _origin(log: MemoryTrafficLog, one: RecordedHit) -> Origin:
    return origin_of(one.hit, imported=one.position in log.imported)
