"""What is stored of a person, piece by piece (docs/read/visitor-data.md#giving)."""

from collections.abc import AsyncGenerator

from attrs import frozen

from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.visitor_data import OwnPiece, VisitorData
from footfall.application.visitors.subjects import Asked, Subjects
from footfall.domain.exceptions import Invalid, NotFound

_ONE = "give either a user id or a visit"


class VisitorNotFound(NotFound):
    """Nothing is stored of the person, and all that is stored could be looked at."""

    message = "No event of this visitor is stored"


@frozen(kw_only=True)
class Giving:
    """Finds a person, and gives what the log holds of one."""

    _subjects: Subjects
    _data: VisitorData

    async def asked(self, record: SiteRecord, *, user_id: str | None, visit: str | None) -> Asked:
        """Return the person whom either a user id or a visit names.

        Raises:
            Invalid: neither of them is given, or both are.
            SessionNotFound: there is no such visit.
            SeveralUsers: more than one user occurs in the visit.
            StoreUnavailable: the store does not answer.

        """
        if user_id is not None and visit is None:
            return await self._subjects.of_user(record, user_id)
        if visit is not None and user_id is None:
            return await self._subjects.of_visit(record, visit)
        raise Invalid({name: [_ONE] for name in ("user_id", "visit")})

    async def pieces(self, site_id: int, asked: Asked) -> AsyncGenerator[OwnPiece, None]:
        """Return the hits of a person by visits, the pieces of one visit after each other.

        Raises:
            SaltsDestroyed: nothing was found, and the salt of a span with user ids was destroyed.
            VisitorNotFound: nothing is stored.
            StoreUnavailable: the store does not answer.

        """
        is_found = False
        async for piece in self._data.own_pieces(site_id, asked.subject):
            is_found = True
            yield piece
        if not is_found:
            asked.require_reachable()
            raise VisitorNotFound
