"""Selection of the sessions and hits of a report by period and filters."""

from collections.abc import Iterable, Iterator

from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter, selector
from footfall.domain.traffic.session import Visit, visits


def select_visits(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> list[Visit]:
    """Return the visits of the period that the filters select, by session id.

    A visit is in a period when one of its hits is. Filters regard the whole visit, including its hits outside the
    period, except those by goal: like conversions they regard the hits of the period.
    """
    selected = selector(filters, period)
    return [
        visit
        for visit in visits(hits)
        if any(True for _ in hits_in_period(visit, period)) and selected(visit)
    ]


def hits_in_period(visit: Visit, period: Period) -> Iterator[RecordedHit]:
    """Return the hits of the visit that happened in the period, in the order of their times."""
    return (recorded for recorded in visit.hits if recorded.hit.occurred_at in period)
