"""The hits of one person, to be given or erased (docs/read/visitor-data.md)."""

from collections.abc import Iterable, Sequence
from typing import Self

from attrs import field, frozen

from footfall.domain.exceptions import Conflict
from footfall.domain.tracking.engagement import RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.retention import Remainder
from footfall.domain.traffic.session import Mark, Session, Visit, runs, visits


class SeveralUsers(Conflict):
    """A visit in which several users occur tells nothing of one of them."""

    message = "Several users occur in this visit: name one of them by the user id"


@frozen
class Subject:
    """A person, as the log knows one: by user ids as they are stored, and by numbers of browsers."""

    # What a visitor sent must not reach a log.
    users: frozenset[str] = field(default=frozenset(), repr=False)
    visitors: frozenset[int] = field(default=frozenset(), repr=False)

    @classmethod
    def of_visit(cls, visitor_id: int, users: Iterable[str]) -> Self:
        """Return the visitor of a visit, with the user who occurs in it.

        Raises:
            SeveralUsers: more than one does.

        """
        occurring = frozenset(users)
        if len(occurring) > 1:
            raise SeveralUsers
        return cls(occurring, frozenset({visitor_id}))

    def hits_of(self, visit: Visit) -> tuple[RecordedHit, ...]:
        """Return the hits of a visit that are the person's.

        A hit with a user id is that user's. One without goes with its visit, unless another user occurs there.
        """
        users = {recorded.hit.user_id for recorded in visit.hits} - {None}
        is_own = bool(users & self.users) or visit.session.visitor_id in self.visitors
        without_user = {None} if is_own and users <= self.users else set[None]()
        return tuple(recorded for recorded in visit.hits if recorded.hit.user_id in self.users | without_user)


@frozen
class OwnVisit:
    """A visit with the hits of a person; `session` is the whole one, also where it has hits of others."""

    session: Session
    hits: tuple[RecordedHit, ...]

    @property
    def is_shared(self) -> bool:
        """Whether the visit has hits of others."""
        return len(self.hits) < self.session.hits


def own_visits(hits: Iterable[RecordedHit], subject: Subject, marks: Iterable[Mark] = ()) -> list[OwnVisit]:
    """Return the visits that have hits of a person, each with these alone, in the order of their starts."""
    own = [OwnVisit(visit.session, subject.hits_of(visit)) for visit in visits(hits, marks)]
    return sorted(
        (visit for visit in own if visit.hits),
        key=lambda visit: (visit.session.start, visit.session.session_id),
    )


def without(hits: Sequence[RecordedHit], subject: Subject, marks: Sequence[Mark] = ()) -> Remainder:
    """Return what is left of the hits of one site when those of a person were never there.

    A mark goes with the last hit of the run that it cut.
    """
    gone = {recorded.position for visit in own_visits(hits, subject, marks) for recorded in visit.hits}
    left = [recorded for recorded in hits if recorded.position not in gone]
    starts = [(run.hits[0].hit.visitor_id, run.hits[0].hit.occurred_at) for run in runs(left, marks)]
    return Remainder(
        left,
        [mark for mark in marks if any(mark.visitor_id == who and mark.goes_on_in(at) for who, at in starts)],
    )


def measures_without(
    measures: Iterable[RecordedMeasure], hits: Iterable[RecordedHit], left: Iterable[RecordedHit]
) -> list[RecordedMeasure]:
    """Return the measures that stay when only some hits of a site do: one goes with the last pageview of its name."""
    gone = {recorded.hit.pageview_key for recorded in hits} - {recorded.hit.pageview_key for recorded in left}
    return [measure for measure in measures if measure.measure.pageview_key not in gone]
