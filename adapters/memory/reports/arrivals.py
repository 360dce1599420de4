"""Hits that came between two answers, in memory."""

from collections import Counter
from itertools import takewhile

from attrs import evolve, frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.citations.changes import Arrivals, Origin, origin_of
from footfall.domain.periods.period import Period
from footfall.domain.tracking.engagement import with_engagement
from footfall.domain.tracking.hit import RecordedHit


@frozen
class MemoryArrivals:
    """ArrivalReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def count(self, site_id: int, span: Period, *, since: int, until: int) -> dict[Origin, int]:
        """Return how many hits came in between, by their origin."""
        return Counter(
            _origin(self._log, recorded)
            for recorded in self._log.hits
            if since < recorded.position <= until
            and recorded.hit.site_id == site_id
            and recorded.hit.occurred_at in span
        )

    async def count_measures(self, site_id: int, span: Period, *, since: int, until: int) -> int:
        """Return how often something was reported in between of pageviews in the span."""
        positions = {recorded.position for recorded in self._log.hits if recorded.position <= until}
        named = [
            evolve(recorded, engagement=None)
            for recorded in self._log.hits_of(site_id)
            if recorded.position in positions and recorded.hit.occurred_at in span
        ]
        return sum(
            since < recorded.position <= until
            and any(hit.engagement for hit in with_engagement(named, [recorded]))
            for recorded in self._log.measures
        )


def with_arrivals(log: MemoryTrafficLog, traffic: int, arrivals: Arrivals) -> list[RecordedHit]:
    """Return the hits up to a position and some later ones."""
    return [
        recorded
        for recorded in takewhile(lambda recorded: recorded.position <= arrivals.until, log.hits)
        if recorded.position <= traffic or _origin(log, recorded) in arrivals.origins
    ]


def _origin(log: MemoryTrafficLog, recorded: RecordedHit) -> Origin:
    return origin_of(recorded.hit, imported=recorded.position in log.imported)
