"""What commands that work on the traffic log need: the log, and the journal that knows its sites."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import frozen

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.goal_versions import GoalVersions
from footfall.adapters.postgres.projector import Projector
from footfall.adapters.postgres.retained import PostgresRetained
from footfall.adapters.postgres.site_hits import PostgresSiteHits
from footfall.adapters.postgres.traffic_reports import PostgresTrafficReports
from footfall.adapters.system import SystemClock
from footfall.application.directory import ListedSite
from footfall.application.journal import EventCodec
from footfall.application.reports import TrafficReports
from footfall.application.retention import Retained, Retention
from footfall.application.transfer import SiteHits
from footfall.domain.errors import SiteNotFound
from footfall.entrypoints.bootstrap import Journal, open_journal


@frozen(kw_only=True)
class Traffic:
    """The traffic log of an installation, open for one command."""

    journal: Journal
    site_hits: SiteHits
    retained: Retained
    retention: Retention
    reports: TrafficReports
    projector: Projector

    async def project(self) -> None:
        """Bring the read models up to date, unless a service is at it anyway.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        while await self.projector.catch_up():
            pass

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
        projector = Projector(url, GoalVersions(EventCodec()))
        try:
            retained = PostgresRetained(connections, url)
            yield Traffic(
                journal=journal,
                site_hits=PostgresSiteHits(connections),
                retained=retained,
                retention=Retention(retained, journal.directory, SystemClock(), rest=0.0),
                reports=PostgresTrafficReports(connections),
                projector=projector,
            )
        finally:
            await projector.close()
            await connections.close()
