"""What a report is made of: the sessions of a period that its filters select, and their hits in it."""

from collections.abc import Iterable, Iterator

from footfall.domain.filter import Filter, selector
from footfall.domain.hit import RecordedHit
from footfall.domain.period import Period
from footfall.domain.session import Visit, visits


def select(hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()) -> list[Visit]:
    """Return the visits of the period that the filters select, by session id.

    A visit is in a period when one of its hits is (decisions, section 2). Filters look at the whole visit,
    what lies outside the period included.
    """
    selected = selector(filters)
    return [visit for visit in visits(hits) if any(True for _ in within(visit, period)) and selected(visit)]


def within(visit: Visit, period: Period) -> Iterator[RecordedHit]:
    """Return the hits of the visit that happened in the period, in the order of the log."""
    return (recorded for recorded in visit.hits if recorded.hit.occurred_at in period)
