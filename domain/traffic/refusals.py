"""Hits that a site would have refused if it had excluded some countries (docs/what-if.md#countries)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import LocatedBy, RecordedHit
from footfall.domain.traffic.session import visits


@frozen
class RefusedHits:
    """A number of hits, and of the sessions that these belong to."""

    hits: int
    sessions: int


@frozen
class Refusals:
    """The hits that would have been refused in a period, and on each of its days."""

    total: RefusedHits
    days: tuple[RefusedHits, ...]


def refused_by_countries(
    countries: Collection[str], hits: Iterable[RecordedHit], period: Period, days: Sequence[Period]
) -> Refusals:
    """Return what would have been refused of the hits of one site, by the times at which they arrived.

    A country that is only that of a browser's time zone refuses nothing.
    """
    refused = [
        (visit.session.session_id, recorded.hit.received_at)
        for visit in visits(hits)
        for recorded in visit.hits
        if recorded.hit.country in countries and recorded.hit.location_source is not LocatedBy.TIME_ZONE
    ]
    return Refusals(_inside(refused, period), tuple(_inside(refused, day) for day in days))


def _inside(refused: Iterable[tuple[int, datetime]], period: Period) -> RefusedHits:
    sessions = [session_id for session_id, at in refused if at in period]
    return RefusedHits(len(sessions), len(set(sessions)))
