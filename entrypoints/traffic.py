"""What commands that work on the traffic log need: the log, and the journal that knows its sites."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import frozen

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.site_hits import PostgresSiteHits
from footfall.application.directory import ListedSite
from footfall.application.transfer import SiteHits
from footfall.domain.errors import SiteNotFound
from footfall.entrypoints.bootstrap import Journal, open_journal


@frozen(kw_only=True)
class Traffic:
    """The traffic log of an installation, open for one command."""

    journal: Journal
    site_hits: SiteHits

    async def site(self, reference: str) -> ListedSite:
        """Return a site by its number or text id.

        Raises:
            SiteNotFound: there is none.

        """
        listed = await self.journal.directory.find_site(reference)
        if listed is None:
            raise SiteNotFound
        return listed


@asynccontextmanager
async def open_traffic(url: str) -> AsyncIterator[Traffic]:
    """Lend the traffic log and the journal to one command.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with open_journal(url) as journal:
        connections = Connections(url, most=1)
        await connections.open()
        try:
            yield Traffic(journal=journal, site_hits=PostgresSiteHits(connections))
        finally:
            await connections.close()
