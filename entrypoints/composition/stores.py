"""The store that the configuration means: a given PostgreSQL, or the embedded one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial
from typing import TypeVar

from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.adapters.embedded import EmbeddedPostgres, EmbeddedPostgresError, ServeLock
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.migration import migrate, missing_migrations
from footfall.adapters.postgres.database.server_check import TRANSACTION_POOLER, is_behind_transaction_pooler
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import SaltsSealed
from footfall.domain.cells.cell import split_place
from footfall.entrypoints.composition.commands.command_stores import (
    open_journal,
    open_traffic,
    read_refused_filters,
)
from footfall.entrypoints.composition.commands.salts import settle_salts
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.setting_parsers import duckdb_is_there
from footfall.entrypoints.settings import Settings

Lent = TypeVar("Lent")
Result = TypeVar("Result")

# In a data directory to which a backup is being restored.
UNFINISHED_RESTORE = "restore.unfinished"

_log = logging.getLogger(__name__)


class StoreRefused(Exception):
    """The store cannot be used as it is; the text says what to do."""


@contextmanager
def opened_store(settings: Settings) -> Iterator[str]:
    """Lend the URL of the store to one command; the embedded one runs until its last user leaves.

    Raises:
        StoreRefused: the schema is not of this version, connections share sessions of the server, or the embedded
            store cannot be started.
        StoreUnavailable: the configured store does not answer.

    """
    if settings.database_url is not None:
        _require_restored(settings)
        _require_usable(settings.database_url)
        yield settings.database_url
        return
    with embedded_store(settings) as url:
        migrate(url)
        yield url


@contextmanager
def served_store(settings: Settings) -> Iterator[str]:
    """Lend the URL of the store to the service; the embedded one is kept alive, and is served by one service only.

    Raises:
        StoreRefused: as for `opened_store`, or another service runs on the same data directory, connections to a
            place of cells share sessions of its server, the process that reads reports cannot have its socket, or
            the salts of visitors are sealed with the key of another host.
        SecretUnreadable: the key of salts cannot be read.
        StoreUnavailable: the configured store does not answer.

    """
    _require_restored(settings)
    _require_place(settings)
    _require_sessions_at(settings.cells)
    if settings.database_url is not None:
        _require_usable(settings.database_url)
        _settle_salts(settings, settings.database_url)
        yield settings.database_url
        return
    with _one_line(), ServeLock(settings.data_dir), EmbeddedPostgres(settings.data_dir) as server:
        migrate_served(server.url)
        _settle_salts(settings, server.url)
        server.supervise()
        yield server.url


@contextmanager
def embedded_store(settings: Settings) -> Iterator[str]:
    """Lend the URL of the embedded store, with any schema.

    Raises:
        StoreRefused: it cannot be started.

    """
    _require_restored(settings)
    with _one_line(), EmbeddedPostgres(settings.data_dir) as server:
        yield server.url


def migrate_served(url: str) -> None:
    """Migrate the embedded store; after an update the log lists saved filters that this version refuses."""
    applied = migrate(url)
    if not applied or applied[0].number == 1:
        return
    refused = asyncio.run(read_refused_filters(url))
    if refused:
        places = ", ".join(f"{saved.holder} of site {saved.site_id}" for saved in refused)
        _log.warning("saved filters are refused, and footfall doctor says why: %s", places)


def _require_restored(settings: Settings) -> None:
    """Raise StoreRefused where a restore did not end: what was erased since the backup may be there again."""
    if (settings.data_dir / UNFINISHED_RESTORE).exists():
        raise StoreRefused(f"a restore to {settings.data_dir} did not end: repeat footfall restore")


def _settle_salts(settings: Settings, url: str) -> None:
    """Raise StoreRefused where hosts with another key may use the salts of the store."""
    try:
        if asyncio.run(settle_salts(settings, url)):
            _log.warning("salts of visitors were sealed with another key: new ones are drawn")
    except SaltsSealed as refusal:
        raise StoreRefused(
            f"{refusal}: give all hosts the same FOOTFALL_SALT_KEY, or let new ones be drawn"
            " (docs/operate/backup.md#salts)"
        ) from None


def _require_place(settings: Settings) -> None:
    """Raise StoreRefused unless the process that reads reports can have its socket."""
    if not duckdb_is_there():
        raise StoreRefused("reports need DuckDB, which footfall[server] installs")
    try:
        SocketPlace(settings.data_dir).prepare()
    except OSError as refusal:
        raise StoreRefused(str(refusal)) from None


def _require_usable(url: str) -> None:
    """Raise StoreRefused unless connections to this URL have sessions, and the schema is of this version."""
    with translated():
        if is_behind_transaction_pooler(url):
            raise StoreRefused(TRANSACTION_POOLER)
    missing = missing_migrations(url)
    if missing:
        raise StoreRefused(f"the database lacks {len(missing)} migration(s): run footfall migrate")


def _require_sessions_at(places: Mapping[str, str]) -> None:
    """Raise StoreRefused unless connections to each place of cells that answers have sessions."""
    with ThreadPoolExecutor() as threads:
        shared = dict(zip(places, threads.map(_place_is_behind_pooler, places.values()), strict=True))
    for name, shares in shared.items():
        if shares:
            raise StoreRefused(f"the place {name} of FOOTFALL_CELLS: {TRANSACTION_POOLER}")


def _place_is_behind_pooler(url: str) -> bool:
    try:
        with translated():
            return is_behind_transaction_pooler(split_place(url)[1])
    except StoreUnavailable:
        # A place that is away keeps sites of other cells from nothing (docs/internals/servers/cells.md).
        return False


def with_journal(settings: Settings, work: Callable[[Journal], Awaitable[Result]]) -> Result:
    """Return what the work on the journal returns."""
    with opened_store(settings) as url:
        opening = open_journal(url, settings.cells, partial(server_secret, settings))
        return asyncio.run(_lent(opening, work))


def with_traffic(settings: Settings, work: Callable[[OpenTraffic], Awaitable[Result]]) -> Result:
    """Return what the work on the traffic logs returns."""
    with opened_store(settings) as url:
        return asyncio.run(_lent(open_traffic(url, settings.cells), work))


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except EmbeddedPostgresError as fault:
        raise StoreRefused(str(fault)) from None


async def _lent(
    opening: AbstractAsyncContextManager[Lent], work: Callable[[Lent], Awaitable[Result]]
) -> Result:
    async with opening as lent:
        return await work(lent)
