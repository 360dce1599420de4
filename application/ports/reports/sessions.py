"""The ports of sessions one by one; the functions of the domain define the results."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SessionsQuery
from footfall.domain.visits.trail import Trail, TrailPart


class SessionReports(Protocol):
    """Reports on single sessions of one site.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return `listed_sessions` over all hits of the site."""

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return `session_with` over all hits of the site."""

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return `trail` over all hits of the site."""


class StoredSessions(SessionReports, Protocol):
    """Reads sessions of one site by their times, visitors, ids and hits: a few rows at any size of the log.

    Of lists it has those of a query that `is_plain`.
    """

    async def named(self, site_id: int, session_ids: Sequence[int]) -> list[Session]:
        """Return some sessions of the site, in this order; those that it does not have are left out."""
