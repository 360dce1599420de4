"""Sessions one by one in memory: the functions of the domain over the whole log."""

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.traffic.session import Session, session_with
from footfall.domain.visits.session_list import SessionsQuery, listed_sessions
from footfall.domain.visits.trail import Trail, TrailPart, trail


@frozen
class MemorySessions:
    """SessionReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return the sessions of a list."""
        return listed_sessions(self._log.hits_of(site_id), query)

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return the session that holds a hit."""
        return session_with(self._log.hits_of(site_id), position)

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return a part of the trail of a session."""
        return trail(self._log.hits_of(site_id), session_id, part)
