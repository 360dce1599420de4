"""The ports of sessions one by one (docs/read/visits.md); the functions of the domain define the results."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.traffic.session import Session
from footfall.domain.visits.session_list import SessionsQuery
from footfall.domain.visits.trail import Trail, TrailPart


class SessionReports(Protocol):
    """Reports on single sessions of one site, from all its hits that are stored in a state.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def listed(self, site_id: int, query: SessionsQuery) -> list[Session]:
        """Return `listed_sessions`: at most `query.most` sessions, the latest start first, ties by higher id."""

    async def session_with(self, site_id: int, position: int) -> Session | None:
        """Return the session that holds the hit at a position of the log; None where the site has no hit there."""

    async def trail(self, site_id: int, session_id: int, part: TrailPart) -> Trail:
        """Return `trail`: the wanted steps in the order of their times, and the number of all of them.

        Of a session that is not there it has no steps. Pauses are exact to the microsecond; engagement is the greatest
        that was reported of a page.
        """


class StoredSessions(SessionReports, Protocol):
    """Reads sessions of one site by their times, visitors, ids and hits: a few rows at any size of the log.

    Of lists it has those of a query that `is_plain`.
    """

    async def named(self, site_id: int, session_ids: Sequence[int]) -> list[Session]:
        """Return the sessions with these ids, in this order; those that the site does not have are left out."""
