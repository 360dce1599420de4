"""Ports of the data of single persons: what the log holds of one (docs/read/visitor-data.md)."""

from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Protocol

from attrs import frozen

from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Session
from footfall.domain.visits.subject import Subject


@frozen
class UserDay:
    """A day in UTC on which hits with user ids were received, or in which imported ones happened."""

    day: date
    is_imported: bool


@frozen
class OwnPiece:
    """Some hits of a person in a visit, in the order of their times; `is_shared` says that it has hits of others."""

    session: Session
    is_shared: bool
    hits: Sequence[RecordedHit]


class VisitorData(Protocol):
    """The hits of a site by persons, as far as the read models have read the log.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def user_days(self, site_id: int) -> Sequence[UserDay]:
        """Return the days with hits that have user ids, ascending."""

    async def archives(self, site_id: int) -> Sequence[str]:
        """Return the sites whose archives were imported, sorted, if user ids came that sites may have hashed."""

    async def visitor_of(self, site_id: int, position: int) -> Subject | None:
        """Return the visitor of the visit that holds a hit; None where nothing is stored at this position.

        Raises:
            SeveralUsers: more than one user occurs in the visit.

        """

    def own_pieces(self, site_id: int, subject: Subject) -> AsyncIterator[OwnPiece]:
        """Return `own_visits` over all hits of the site; the pieces of one visit follow each other."""
