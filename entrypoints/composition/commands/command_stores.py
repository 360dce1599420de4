"""The journal, the traffic log and the read models, opened for one command."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from types import MappingProxyType

from attrs import define, field

from footfall.adapters.geoip.bot_addresses import PublishedBotAddresses
from footfall.adapters.geoip.database import MaxMindGeolocation, MaxMindNetworks
from footfall.adapters.postgres.accounts.former_proofs import PostgresFormerProofs
from footfall.adapters.postgres.accounts.invitation_addresses import PostgresInvitationAddresses
from footfall.adapters.postgres.accounts.names_in_journal import PostgresNamesInJournal
from footfall.adapters.postgres.accounts.people import PostgresPeople
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.accounts.sign_in_uses import PostgresSignInUses
from footfall.adapters.postgres.cells.places import PostgresCellTraffic, url_of_cell
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.journal.repair import PostgresJournalRepair
from footfall.adapters.postgres.journal.uses import PostgresKeyUses, PostgresLinkUses
from footfall.adapters.postgres.notifications.outbox import PostgresOutbox
from footfall.adapters.postgres.notifications.webhook_queue import PostgresStoredAddresses
from footfall.adapters.postgres.projections.freshness import PostgresFreshness
from footfall.adapters.postgres.projections.status import ProjectionStatus, projection_status
from footfall.adapters.regular_expressions import compile_expression, compile_patterns
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.alerts.address_sealing import unopened_sites
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.application.imports.conversion import Conversion
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SetAside, SiteRecord
from footfall.application.journal.event_codec import EventCodec
from footfall.application.maintenance.refused_filters import RefusedFilters, refused_filters
from footfall.application.ports.cells import CellAway, CellTraffic
from footfall.application.ports.imports import Source
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import MailStatus
from footfall.application.ports.system import Clock
from footfall.domain.cells.cell import MAIN, Cell
from footfall.entrypoints.composition.ports import JournalPorts
from footfall.entrypoints.composition.service import Journal, build_journal
from footfall.entrypoints.composition.sign_in_ways import postgres_sign_in_ports
from footfall.entrypoints.composition.traffic import OpenStore, OpenTraffic, bring_journal, open_store
from footfall.entrypoints.settings import Settings

NO_PLACES: Mapping[str, str] = MappingProxyType({})


def no_secret() -> bytes:
    """Refuse to be asked: the command has nothing to do with users."""
    raise LookupError("this command was not given the secret of the server")


@define(eq=False)
class _AskedCells:
    """CellTraffic that connects to cells when a command asks, at the places that the configuration knows."""

    _main: Connections
    _places: Mapping[str, str] = field(repr=False)
    directory: Directory | None = None

    async def recent(self) -> Mapping[str, int]:
        """Return the events of the last week by cell."""
        async with AsyncExitStack() as stack:
            stores = {MAIN: self._main}
            for cell, url in cell_urls(self.directory, self._places):
                stores[cell.name] = await stack.enter_async_context(opened(url, most=1))
            return await PostgresCellTraffic(stores, SystemClock()).recent()


def cell_urls(directory: Directory | None, places: Mapping[str, str]) -> list[tuple[Cell, str]]:
    """Return the cells whose places are configured, each with the URL of its store."""
    cells = [] if directory is None else directory.cells()
    return [
        (cell, url_of_cell(cell.name, places[cell.place]))
        for cell in cells
        if cell.name != MAIN and cell.place in places
    ]


@asynccontextmanager
async def open_journal(
    url: str, places: Mapping[str, str] = NO_PLACES, secret: Callable[[], bytes] = no_secret
) -> AsyncIterator[Journal]:
    """Lend the journal to one command, with the directory caught up; `places` are those of cells.

    `secret` returns that of the server, for commands about users.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=2) as connections:
        cells = _AskedCells(connections, places)
        store = PostgresEventStore(connections, Listener(url), EventCodec())
        outbox = PostgresOutbox(connections, url)
        journal = build_journal(journal_ports(store, outbox, connections, cells, SystemClock()), secret)
        cells.directory = journal.directory
        await journal.directory.catch_up()
        yield journal


@asynccontextmanager
async def open_traffic(url: str, places: Mapping[str, str] = NO_PLACES) -> AsyncIterator[OpenTraffic]:
    """Lend the traffic logs and the journal to one command; `places` are those of cells.

    Raises:
        StoreUnavailable: a store does not answer.

    """
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(open_journal(url, places))
        main = await stack.enter_async_context(opened(url, most=1))
        stores: dict[str | None, OpenStore] = {
            None: await stack.enter_async_context(open_store(journal, url, main))
        }
        for cell, place_url in cell_urls(journal.directory, places):
            cell_url = await layout_of(place_url).at_home(place_url)
            connections = await stack.enter_async_context(opened(cell_url, most=1))
            await bring_journal(journal, cell, main, connections)
            store = open_store(journal, cell_url, connections, cell.name)
            stores[cell.name] = await stack.enter_async_context(store)
        yield OpenTraffic(
            journal=journal,
            outbox=PostgresOutbox(main, url),
            stores=stores,
        )


def build_conversion(settings: Settings, *, secret: bytes, record: SiteRecord, source: Source) -> Conversion:
    """Return the conversion of the rows of a source into hits of a site."""
    clock = SystemClock()
    return Conversion(
        record,
        f"{source.format} {source.key}",
        secret,
        UaParserUserAgents(),
        MaxMindGeolocation(settings.geoip_file),
        MaxMindNetworks(settings.networks_file),
        PublishedBotAddresses(settings.bots_file),
        compile_patterns,
        clock.now(),
    )


async def read_set_aside(url: str) -> tuple[SetAside, ...]:
    """Return the streams of the journal that are set aside.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with open_journal(url) as journal:
        return journal.directory.set_aside


async def read_unopened_links(url: str, secret: bytes) -> list[int]:
    """Return the sites with links that were sealed with another secret than this one.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with open_journal(url) as journal:
        links = LinkKeys(
            journal.commands.sites, SystemRandomness(), SecretSealing(secret), journal.commands.links
        )
        sites = [record.site for record in journal.directory.state.sites.values()]
    return sorted(site.site_id for site in sites if links.has_unopened(site))


async def read_refused_filters(url: str) -> list[RefusedFilters]:
    """Return the segments and alert rules whose filters are not accepted any more.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with open_journal(url) as journal:
        return refused_filters(journal.directory, compile_expression)


async def read_unopened_targets(url: str, secret: bytes) -> Sequence[int]:
    """Return the sites with targets of alerts whose addresses were sealed with another secret than this one.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=1) as connections:
        return await unopened_sites(PostgresStoredAddresses(connections), SecretSealing(secret))


async def discard_event(url: str, places: Mapping[str, str], stream: str, version: int) -> None:
    """Discard an event that cannot be read, in the copies of cells first: what fails can be repeated.

    Raises:
        CellAway: a cell does not answer, or is at a place that is not configured here; the journal was not changed.
        StoreUnavailable: the store does not answer.

    """
    async with open_journal(url, places) as journal:
        cells = [cell for cell in journal.directory.cells() if cell.name != MAIN]
    for cell in cells:
        if cell.place not in places:
            raise CellAway(f"the cell {cell.name} is at a place that FOOTFALL_CELLS does not name")
        try:
            cell_url = url_of_cell(cell.name, places[cell.place])
            await _discard(await layout_of(cell_url).at_home(cell_url), stream, version)
        except StoreUnavailable as failure:
            raise CellAway(f"the cell {cell.name} may have a copy of the event: {failure}") from None
    await _discard(url, stream, version)


async def _discard(url: str, stream: str, version: int) -> None:
    async with opened(url, most=1) as connections:
        await PostgresJournalRepair(connections).discard(stream, version)


async def read_projection_status(url: str) -> ProjectionStatus:
    """Return how far the projections are, and which goals they set aside.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=2) as connections:
        freshness = PostgresFreshness(connections, SystemClock(), lambda: None)
        return await projection_status(connections, freshness)


async def read_mail_status(url: str) -> MailStatus:
    """Return the state of the queue of outgoing mail.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=1) as connections:
        return await PostgresOutbox(connections, url).status(SystemClock().now())


@asynccontextmanager
async def opened(url: str, *, most: int) -> AsyncIterator[Connections]:
    """Lend a pool of connections."""
    connections = Connections(url, most=most)
    await connections.open()
    try:
        yield connections
    finally:
        await connections.close()


def journal_ports(
    event_store: PostgresEventStore,
    outbox: PostgresOutbox,
    connections: Connections,
    cells: CellTraffic,
    clock: Clock,
) -> JournalPorts:
    """Return the adapters of the journal, and of what is about persons beside it."""
    return JournalPorts(
        cell_traffic=cells,
        event_store=event_store,
        registrations=PostgresRegistrations(connections, event_store),
        identifiers=PostgresIdentifiers(connections),
        key_uses=PostgresKeyUses(connections),
        link_uses=PostgresLinkUses(connections),
        people=PostgresPeople(connections),
        sign_in_uses=PostgresSignInUses(connections),
        invitation_addresses=PostgresInvitationAddresses(connections),
        sign_in=postgres_sign_in_ports(connections),
        former_proofs=PostgresFormerProofs(connections),
        names_in_journal=PostgresNamesInJournal(connections),
        outbox=outbox,
        randomness=SystemRandomness(),
        clock=clock,
    )
