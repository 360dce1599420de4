"""The remainder of the hits of a site after retention: whole sessions, and marks where it cuts through runs."""

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


def expire(hits: Iterable[RecordedHit], before: datetime, marks: Sequence[Mark] = ()) -> Remainder:
    """Return what is left of the hits of one site: the sessions that end at a cutoff or later.

    A run that loses sessions and keeps others leaves a mark. A mark goes with the last hit of the run that it cut.
    """
    remaining_hits: list[RecordedHit] = []
    made: list[Mark] = []
    starts: dict[int, list[datetime]] = {}
    for run in runs(hits, marks):
        gone, remaining = _divided(run, before)
        remaining_hits += (recorded for visit in remaining for recorded in visit.hits)
        if gone and remaining:
            made.append(_mark(run, gone[-1], remaining[0]))
        if remaining:
            starts.setdefault(remaining[0].session.visitor_id, []).append(remaining[0].session.start)
    marks_left = [mark for mark in marks if any(map(mark.goes_on_in, starts.get(mark.visitor_id, ())))]
    return Remainder(remaining_hits, [*marks_left, *made])


def _divided(run: Run, before: datetime) -> tuple[list[Visit], list[Visit]]:
    visits = run.visits()
    remaining = [visit for visit in visits if visit.session.end >= before]
    return visits[: len(visits) - len(remaining)], remaining


def _mark(run: Run, gone: Visit, remaining: Visit) -> Mark:
    start = remaining.session.start.astimezone(UTC)
    cutoff = datetime.combine(start.date(), time(), UTC)
    return Mark(remaining.session.site_id, remaining.session.visitor_id, cutoff, run.since, gone.session.end)
