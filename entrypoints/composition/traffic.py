"""The traffic logs and the journal, open for one command."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from attrs import field, frozen

from footfall.adapters.postgres.cells.journal_copy import PostgresJournalCopy
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_hits import PostgresSiteHits
from footfall.adapters.postgres.projections.freshness import PostgresFreshness
from footfall.adapters.postgres.reports.all_sites import PostgresDataSince
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.postgres.visitors.visitor_data import PostgresVisitorData
from footfall.adapters.system import SystemClock
from footfall.application.cells.journal_copies import JournalFollower
from footfall.application.cells.routing import routed
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.maintenance.retention import Retention
from footfall.application.ports.cells import CellAway
from footfall.application.ports.imports import ImportRecord, Imports
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import Outbox
from footfall.application.ports.maintenance import RetentionStore, SiteHits
from footfall.application.ports.reports.reports import DataSince
from footfall.application.ports.visitor_data import VisitorData
from footfall.domain.cells.cell import Cell
from footfall.domain.exceptions import SiteNotFound, existing
from footfall.entrypoints.composition.projectors import build_projector
from footfall.entrypoints.composition.service import Journal

# A service that is stopped in the middle of its work keeps the read models to itself.
STUCK_SECONDS = 60.0
LOOK_SECONDS = 0.1


@frozen(kw_only=True)
class OpenStore:
    """One store of traffic, open for one command."""

    site_hits: SiteHits
    imports: Imports
    retention_store: RetentionStore
    retention: Retention
    reports: DataSince
    visitor_data: VisitorData
    visitor_erasures: PostgresVisitorErasures
    url: str = field(repr=False)
    connections: Connections
    freshness: PostgresFreshness
    # Projects one piece, and says whether there was one.
    project_next: Callable[[], Awaitable[bool]]


@frozen(kw_only=True)
class OpenTraffic:
    """The traffic logs of an installation, open for one command; the store of the journal has no name."""

    journal: Journal
    outbox: Outbox
    stores: Mapping[str | None, OpenStore]
    stuck_seconds: float = STUCK_SECONDS

    @property
    def site_hits(self) -> SiteHits:
        """The hits of all sites."""
        return routed(SiteHits, lambda site_id: self.store_of(site_id).site_hits)  # type: ignore[type-abstract]

    @property
    def reports(self) -> DataSince:
        """The reports of all sites."""
        return routed(DataSince, lambda site_id: self.store_of(site_id).reports)  # type: ignore[type-abstract]

    async def imports(self) -> list[ImportRecord]:
        """Return the imports of all sites, by number; a number is never given twice."""
        records = [record for store in self.stores.values() for record in await store.imports.all()]
        return sorted(records, key=lambda record: record.import_id)

    def store_of(self, site_id: int) -> OpenStore:
        """Return the store of the traffic of a site.

        Raises:
            CellAway: its cell is at a place that is not configured here.

        """
        cell = self.journal.directory.cell_of(site_id)
        if cell not in self.stores:
            raise CellAway(f"the cell {cell} is at a place that FOOTFALL_CELLS does not name")
        return self.stores[cell]

    async def project_next(self) -> bool:
        """Project one piece in each store, and say whether there was one."""
        return any([await store.project_next() for store in self.stores.values()])

    async def project(self) -> None:
        """Bring the read models up to date, unless a running service does.

        Raises:
            StoreUnavailable: a store does not answer.

        """
        while await self.project_next():
            pass

    async def catch_up(self, site_id: int) -> None:
        """Return when the read models have all hits that were stored for a site before this call.

        A running service leaves them for a while, such as to erase hits.

        Raises:
            CellAway: the cell of the site is at a place that is not configured here.
            StoreUnavailable: the store does not answer, or the service brings them no further.

        """
        store = self.store_of(site_id)
        asked = reached = await store.freshness.progress(site_id)
        since = time.monotonic()
        while reached.position < asked.newest:
            more = await store.project_next()
            before, reached = reached, await store.freshness.progress(site_id)
            if reached.position > before.position:
                since = time.monotonic()
            elif time.monotonic() - since > self.stuck_seconds:
                missing = asked.newest - reached.position
                raise StoreUnavailable(
                    f"{missing} event(s) are not counted yet, and the service gets no further"
                )
            if not more:
                await asyncio.sleep(LOOK_SECONDS)

    async def apply_retention(self) -> int | None:
        """Erase old hits in each store and return their number; None while another process does it in one of them.

        Raises:
            StoreUnavailable: a store does not answer.

        """
        erased = [await store.retention.apply() for store in self.stores.values()]
        return None if None in erased else sum(filter(None, erased))

    async def site(self, reference: str) -> SiteRecord:
        """Return a site by its number or text id.

        Raises:
            SiteNotFound: there is none.

        """
        return existing(await self.journal.directory.find_site(reference), SiteNotFound)


@asynccontextmanager
async def open_store(
    journal: Journal, url: str, connections: Connections, cell: str | None = None
) -> AsyncIterator[OpenStore]:
    """Lend one store of traffic to one command."""
    projector, retention_store = build_projector(url), PostgresRetentionStore(connections, url)
    try:
        yield OpenStore(
            site_hits=PostgresSiteHits(connections),
            imports=PostgresImports(connections),
            retention_store=retention_store,
            retention=Retention(retention_store, journal.directory, SystemClock(), rest=0.0, cell=cell),
            reports=PostgresDataSince(connections),
            visitor_data=PostgresVisitorData(connections),
            visitor_erasures=PostgresVisitorErasures(connections, url),
            url=url,
            connections=connections,
            freshness=PostgresFreshness(connections, SystemClock(), lambda: None),
            project_next=projector.catch_up,
        )
    finally:
        await projector.close()


async def bring_journal(journal: Journal, cell: Cell, main: Connections, store: Connections) -> None:
    """Copy what a cell needs of the journal, as the service does all the time.

    Raises:
        StoreUnavailable: a store does not answer.

    """
    copy = PostgresJournalCopy(cell.name, cell.mark, main, store)
    position = journal.directory.position
    await JournalFollower(cell.name, copy, lambda: position, lambda: position).follow()
