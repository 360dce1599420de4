"""Commands on cells: their stores are made, looked at and migrated one by one."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from attrs import frozen

from footfall.adapters.postgres.cells.places import claim, require_cell, size_of, url_of_cell
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.migration import Migration, missing_migrations
from footfall.adapters.postgres.database.schemas import server_of
from footfall.adapters.postgres.database.server_check import (
    LOST_SCHEMA,
    TRANSACTION_POOLER,
    Examination,
    Unreachable,
    examine,
)
from footfall.adapters.postgres.intake.order_guard import order_is_guarded
from footfall.adapters.postgres.projections.status import ProjectionStatus
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.cells.cell import MAIN, Cell, CellRefused, add, existing
from footfall.entrypoints.composition.commands.command_stores import (
    open_journal,
    opened,
    read_projection_status,
)
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.composition.traffic import bring_journal
from footfall.entrypoints.composition.traffic_store import settings_of_cell
from footfall.entrypoints.settings import Settings


@frozen(kw_only=True)
class CellStanding:
    """A cell as a command finds it; `trouble` says why it does not take or show traffic."""

    cell: Cell
    sites: int
    server: str | None = None
    # The node that holds a cell on a cluster.
    node: str | None = None
    size: int | None = None
    projections: ProjectionStatus | None = None
    # Whether readers of the log wait for its writers; None where it was not tried.
    guarded: bool | None = None
    trouble: str | None = None


async def add_cell(settings: Settings, url: str, name: str) -> None:
    """Make the store of a new cell at the place of its name, then tell the journal of it.

    Raises:
        Invalid: the name cannot be that of a cell.
        CellRefused: there is such a cell, or its place is not configured, cannot be used, or holds something else.
        StoreUnavailable: the store of the journal does not answer.

    """
    async with open_journal(url, settings.cells) as journal:
        mark = SystemRandomness().sign_in_token()
        add(journal.directory.state.cells.get(name), name, mark)
        cell_url = url_of_cell(name, place_of(settings, name))
        layout = layout_of(cell_url)
        with at_place(name):
            require_suitable(examine(layout.login(cell_url)))
            number = sum(cell.name != MAIN for cell in journal.directory.cells()) + 1
            claim(cell_url, name, mark, number)
            await layout.at_home(cell_url)
        await journal.commands.cells.add(name, mark, CommandContext())


async def standings(settings: Settings, url: str, *, try_guard: bool = False) -> list[CellStanding]:
    """Return how each cell is found; with `try_guard` the guard of the order of its log is tried.

    Raises:
        StoreUnavailable: the store of the journal does not answer.

    """
    async with open_journal(url, settings.cells) as journal:
        return [await _standing(settings, journal, cell, try_guard=try_guard) for cell in _cells(journal)]


async def migrate_cells(
    settings: Settings, url: str, name: str | None, *, check: bool = False
) -> Mapping[str, list[Migration]]:
    """Bring one cell, or each of them, to the schema of this version; return the migrations by cell.

    With `check` nothing is applied, and the missing ones are returned.

    Raises:
        CellRefused: there is no such cell, or its place is not configured or cannot be used.
        StoreUnavailable: the store of the journal does not answer.
        UnsupportedSchema: a schema is that of an unknown version.

    """
    async with open_journal(url, settings.cells) as journal:
        cells = _cells(journal)
        if name is not None:
            cells = [existing(journal.directory.state.cells.get(name), name)]
    migrations = {}
    for cell in cells:
        cell_url = url_of_cell(cell.name, place_of(settings, cell.place))
        with at_place(cell.place):
            require_suitable(examine(cell_url))
            migrations[cell.name] = (
                missing_migrations(cell_url) if check else await layout_of(cell_url).migrate(cell_url)
            )
    return migrations


@contextmanager
def opened_part(settings: Settings, cell: str | None) -> Iterator[tuple[Settings, str]]:
    """Lend the store of the journal, or that of a cell, with the settings that one store alone has.

    Raises:
        CellRefused: there is no such cell, or its place is not configured, cannot be used, or holds something else.
        StoreRefused: the store of the journal cannot be used as it is.
        StoreUnavailable: it does not answer.

    """
    with opened_store(settings) as url:
        if cell is None:
            yield settings, url
            return
        cell_url = asyncio.run(_prepared(settings, url, cell))
        yield settings_of_cell(settings, cell, cell_url), cell_url


async def _prepared(settings: Settings, url: str, name: str) -> str:
    """Return the URL of the store of a cell, to which the journal has been brought."""
    async with open_journal(url, settings.cells) as journal:
        cell = existing(journal.directory.state.cells.get(name), name)
        cell_url = url_of_cell(cell.name, place_of(settings, cell.place))
        with at_place(cell.place):
            require_cell(cell_url, cell.name, cell.mark)
            cell_url = await layout_of(cell_url).at_home(cell_url)
            async with opened(url, most=1) as main, opened(cell_url, most=1) as store:
                await bring_journal(journal, cell, main, store)
    return cell_url


def _cells(journal: Journal) -> list[Cell]:
    return [cell for cell in journal.directory.cells() if cell.name != MAIN]


async def _standing(settings: Settings, journal: Journal, cell: Cell, *, try_guard: bool) -> CellStanding:
    sites = sum(record.site.cell == cell.name for record in journal.directory.sites())
    try:
        url = url_of_cell(cell.name, place_of(settings, cell.place))
        with at_place(cell.place):
            server = examine(url)
            require_suitable(server)
            require_cell(url, cell.name, cell.mark)
            home = await layout_of(url).at_home(url)
            projections = await read_projection_status(home)
            size = await size_of(home)
            guarded = await order_is_guarded(home, SystemClock().now()) if try_guard else None
    except (CellRefused, StoreUnavailable) as trouble:
        return CellStanding(cell=cell, sites=sites, trouble=str(trouble))
    return CellStanding(
        cell=cell,
        sites=sites,
        server=server.version,
        node=None if home == url else server_of(home),
        size=size,
        projections=projections,
        guarded=guarded,
    )


def place_of(settings: Settings, name: str) -> str:
    """Return the URL of a place.

    Raises:
        CellRefused: it is not configured.

    """
    if name not in settings.cells:
        raise CellRefused(f"FOOTFALL_CELLS names no place {name}")
    return settings.cells[name]


def require_suitable(server: Examination) -> None:
    """Raise CellRefused unless a server can hold a cell."""
    if not server.recent_enough:
        raise CellRefused(f"PostgreSQL {server.version} there is too old: 15 or later")
    if server.replication.read_only:
        raise CellRefused("the server there is a standby, or read-only")
    if server.shared_sessions:
        raise CellRefused(TRANSACTION_POOLER)
    if not server.in_schema:
        raise CellRefused(LOST_SCHEMA)


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Name the place in what goes wrong there; its URL is a secret."""
    try:
        yield
    except (CellRefused, StoreUnavailable, Unreachable) as fault:
        raise CellRefused(f"the place {place}: {fault}") from None
