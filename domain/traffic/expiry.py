"""What retention leaves of the hits of a site: whole sessions, and marks where it cuts through runs."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time

from attrs import frozen

from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark, Run, Visit, runs


@frozen
class Remainder:
    """The hits that are kept, and the marks that belong to them."""

    hits: Sequence[RecordedHit]
    marks: Sequence[Mark]


def kept_since(hits: Iterable[RecordedHit], before: datetime, marks: Sequence[Mark] = ()) -> Remainder:
    """Return what is left of the hits of one site: the sessions that end at a cutoff or later.

    A run that loses sessions and keeps others leaves a mark. A mark goes with the last hit of the run that it cut.
    """
    kept: list[RecordedHit] = []
    made: list[Mark] = []
    starts: dict[int, list[datetime]] = {}
    for run in runs(hits, marks):
        gone, rest = _divided(run, before)
        kept += (one for visit in rest for one in visit.hits)
        if gone and rest:
            made.append(_mark(run, gone[-1], rest[0]))
        if rest:
            starts.setdefault(rest[0].session.visitor_id, []).append(rest[0].session.start)
    left = [mark for mark in marks if any(map(mark.goes_on_in, starts.get(mark.visitor_id, ())))]
    return Remainder(kept, [*left, *made])


def _divided(run: Run, before: datetime) -> tuple[list[Visit], list[Visit]]:
    visits = run.visits()
    rest = [visit for visit in visits if visit.session.end >= before]
    return visits[: len(visits) - len(rest)], rest


def _mark(run: Run, gone: Visit, rest: Visit) -> Mark:
    start = rest.session.start.astimezone(UTC)
    cutoff = datetime.combine(start.date(), time(), UTC)
    return Mark(rest.session.site_id, rest.session.visitor_id, cutoff, run.since, gone.session.end)
