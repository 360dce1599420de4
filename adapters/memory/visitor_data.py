"""The hits of single persons in memory: the functions of the domain over the whole log."""

from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.visitor_data import OwnPiece, UserDay
from footfall.domain.tracking.visitor import may_be_salted
from footfall.domain.traffic.session import visits
from footfall.domain.visits.subject import Subject, own_visits


@frozen
class MemoryVisitorData:
    """VisitorData over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def user_days(self, site_id: int) -> Sequence[UserDay]:
        """Return the days with hits that have user ids."""
        days = set[UserDay]()
        for recorded in self._log.hits_of(site_id):
            if recorded.hit.user_id is not None:
                is_imported = recorded.position in self._log.imported
                at = recorded.hit.occurred_at if is_imported else recorded.hit.received_at
                days.add(UserDay(at.date(), is_imported))
        return sorted(days, key=lambda day: (day.day, day.is_imported))

    async def archives(self, site_id: int) -> Sequence[str]:
        """Return the sites of archives, if a hit may have a hashed user id that no import made."""
        users = (
            recorded.hit.user_id
            for recorded in self._log.hits_of(site_id)
            if recorded.position not in self._log.imported
        )
        return sorted(self._log.archives) if any(user and may_be_salted(user) for user in users) else []

    async def visitor_of(self, site_id: int, position: int) -> Subject | None:
        """Return the visitor of a visit."""
        for visit in visits(self._log.hits_of(site_id)):
            if any(recorded.position == position for recorded in visit.hits):
                users = [hit.user_id for recorded in visit.hits if (hit := recorded.hit).user_id is not None]
                return Subject.of_visit(visit.session.visitor_id, users)
        return None

    async def own_pieces(self, site_id: int, subject: Subject) -> AsyncIterator[OwnPiece]:
        """Return the hits of a person by visits."""
        for visit in own_visits(self._log.hits_of(site_id), subject):
            yield OwnPiece(visit.session, visit.is_shared, visit.hits)
