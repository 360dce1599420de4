"""The ports of sessions one by one; the functions of the domain define the results."""

from typing import Protocol

from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SessionsQuery
from footfall.domain.visits.trail import Trail, TrailPart


class StoredSessions(Protocol):
    """Reads sessions of one site by their times, their visitors and their hits: a few rows at any size of the log.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return `listed_sessions` over all hits of the site, of a query that `is_plain`."""

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return `session_with` over all hits of the site."""

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return `trail` over all hits of the site."""


class SessionReports(StoredSessions, Protocol):
    """Reports on single sessions of one site.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return `listed_sessions` over all hits of the site, of any query."""
