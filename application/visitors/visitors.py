"""What owners do with the data of visitors: give it, and have it erased."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.application.ports.visitor_erasures import Requester, VisitorErasure, VisitorErasures
from footfall.application.visitors.document import VisitorDocument
from footfall.application.visitors.erasing import requested
from footfall.application.visitors.giving import Giving
from footfall.application.visitors.subjects import Asked
from footfall.domain.exceptions import NotFound


class ErasureNotFound(NotFound):
    """The site has no erasure of a visitor with this id."""

    message = "Erasure not found"


@frozen(kw_only=True)
class Visitors:
    """The data of the visitors of all sites, as of the question."""

    giving: Giving
    clock: Clock
    _erasures: VisitorErasures
    _freshness: Freshness

    async def asked(self, record: SiteRecord, *, user_id: str | None, visit: str | None) -> Asked:
        """Return the person whom a user id or a visit names, when the read models have what was stored before.

        Raises:
            Invalid, SessionNotFound, SeveralUsers, StoreUnavailable: as `Giving.asked` does.
            StoreUnavailable: the read models do not have it within a second, so that the answer would not be whole.

        """
        if await self._freshness.catch_up(record.site.site_id):
            raise StoreUnavailable
        return await self.giving.asked(record, user_id=user_id, visit=visit)

    async def events_of(self, site_id: int, asked: Asked) -> int:
        """Return how many events of a person are stored; there is one.

        Raises:
            SaltsDestroyed, VisitorNotFound, StoreUnavailable: as `Giving.pieces` does.

        """
        return sum([len(piece.hits) async for piece in self.giving.pieces(site_id, asked)])

    async def erase(self, site_id: int, asked: Asked, context: CommandContext) -> VisitorErasure:
        """Store that a person is to be erased, which a job of the store does.

        Raises:
            SaltsDestroyed, VisitorNotFound, StoreUnavailable: as `Giving.pieces` does.

        """
        async with aclosing(self.giving.pieces(site_id, asked)) as pieces:
            await anext(pieces)
        actor = context.actor
        requester = Requester(
            user_id=actor.user_id, key_prefix=actor.key_prefix, request_id=context.request_id
        )
        erasure = requested(site_id, asked, self.clock.now(), requester)
        await self._erasures.request(site_id, erasure)
        return erasure

    async def sources(self, site_id: int) -> Sequence[str]:
        """Return, in words, which imports and archives of a site can bring events of an erased visitor again."""
        return await self._erasures.sources(site_id)

    async def erasures(self, site_id: int) -> Sequence[VisitorErasure]:
        """Return the erasures of a site, the latest first."""
        return await self._erasures.of_site(site_id)

    async def erasure(self, site_id: int, name: str) -> VisitorErasure:
        """Return an erasure of a site by its id.

        Raises:
            ErasureNotFound: there is none.

        """
        for erasure in await self._erasures.of_site(site_id):
            if str(erasure.erasure) == name:
                return erasure
        raise ErasureNotFound

    async def document(self, site_id: int, asked: Asked) -> AsyncIterator[bytes]:
        """Return what is stored of a person as one document, in parts that are read as they are taken.

        Raises:
            SaltsDestroyed, VisitorNotFound, StoreUnavailable: as `Giving.pieces` does, before the first part is taken.

        """
        document = VisitorDocument(site_id, self.clock.now(), asked.refusals)
        parts = document.written(self.giving.pieces(site_id, asked))
        return _begun(await anext(parts), parts)


async def _begun(first: bytes, parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in parts:
        yield part
