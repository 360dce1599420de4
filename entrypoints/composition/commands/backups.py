"""`footfall backup`: the store as of one moment, with what belongs to it and is not derived."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from footfall import __version__
from footfall.adapters.backup import folder
from footfall.adapters.backup.folder import BackupManifest, NewBackup, new_backup
from footfall.adapters.backup.passphrase import key_of, new_salt
from footfall.adapters.backup.programs import Program, Target, dumped, found, to_dump
from footfall.adapters.backup.refusal import BackupRefused, told_of
from footfall.adapters.embedded import EmbeddedPostgres, EmbeddedPostgresError
from footfall.adapters.embedded.programs import program
from footfall.adapters.erasure_list import FILE as ERASURES
from footfall.adapters.erasure_list import whole_lines
from footfall.adapters.postgres.database.migration import all_migrations, missing_migrations
from footfall.adapters.postgres.maintenance.dumped_store import SALTS, Snapshot, exported_snapshot
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemClock
from footfall.application.maintenance.erasure_listing import ErasureListing
from footfall.application.visitors.selectors import Selectors
from footfall.domain.cells.cell import MAIN
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.composition.commands.command_stores import open_journal, opened
from footfall.entrypoints.composition.commands.visitor_erasing import erasure_list
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.stores import embedded_store
from footfall.entrypoints.settings import Settings

_PIECE = 1 << 20


def back_up(settings: Settings, path: Path, passphrase: Callable[[], str] | None) -> BackupManifest:
    """Write a backup of the store to a folder, beside a running service or without one.

    With a `passphrase` the secret of the server is in it.

    Raises:
        BackupRefused: the folder or the store cannot be used, or no suitable program is there.
        SecretUnreadable: the secret cannot be read.
        StoreRefused: the embedded store cannot be started.
        StoreUnavailable: the store does not answer.

    """
    with told_of(path):
        if path.resolve().is_relative_to(settings.data_dir.resolve()):
            raise BackupRefused(
                f"{path} is inside of the data directory {settings.data_dir}, with which it would go"
            )
    secret = server_secret(settings)
    sealed = None if passphrase is None else _sealed(secret, passphrase())
    with _store(settings) as url:
        _require_schema(url)
        asyncio.run(_require_listed(settings, url, secret))
        with exported_snapshot(url) as snapshot:
            made_at = SystemClock().now()
            dumping = to_dump(programs(settings, "pg_dump"), snapshot.server.version)
            with new_backup(path) as backup:
                _add_store(backup, url, snapshot, dumping)
                for name, source in location_files(settings).items():
                    _add_file(backup, name, source)
                with told_of(settings.data_dir / ERASURES):
                    # A service may be adding a line.
                    listed = whole_lines((settings.data_dir / ERASURES).read_bytes())
                backup.add(folder.ERASURES, [listed])
                if sealed is not None:
                    backup.add(folder.SECRET, [sealed])
                return backup.finish(
                    secret,
                    version=__version__,
                    made_at=instant_text(made_at),
                    migration=snapshot.migration,
                    schema=snapshot.server.schema,
                    server=snapshot.server.version,
                    program=dumping.major,
                    journal_position=snapshot.journal_position,
                    hit_position=snapshot.hit_position,
                    secret=Selectors(secret).check,
                )


def programs(settings: Settings, name: str) -> list[Program]:
    """Return the programs of PostgreSQL of a name: for the embedded store its own."""
    try:
        own = program(name)
    except EmbeddedPostgresError:
        own = None
    everywhere = found(name, own)
    return everywhere if settings.database_url is not None else everywhere[:1]


def location_files(settings: Settings) -> dict[str, Path]:
    """Return the databases of locations, networks and bots by the names that they have in a backup."""
    return {
        folder.LOCATIONS: settings.geoip_file,
        folder.NETWORKS: settings.networks_file,
        folder.BOTS: settings.bots_file,
    }


@contextmanager
def _store(settings: Settings) -> Iterator[str]:
    """Lend the URL of the store with its schema as it is."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    if not (EmbeddedPostgres(settings.data_dir).data_directory / "PG_VERSION").exists():
        raise BackupRefused(f"{settings.data_dir} has no store")
    with embedded_store(settings) as url:
        yield url


def _require_schema(url: str) -> None:
    """Raise BackupRefused unless the schema is that of this version."""
    missing, latest = missing_migrations(url), all_migrations()[-1].number
    if missing:
        raise BackupRefused(
            f"the schema of the store lacks {len(missing)} migration(s) of this version, up to {latest}: make the"
            " backup with the version that serves it, or run footfall migrate"
        )


async def _require_listed(settings: Settings, url: str, secret: bytes) -> None:
    """Bring the list of erasures up to date, and raise BackupRefused where the store is not the whole of it."""
    async with open_journal(url, settings.cells) as journal:
        cells = ", ".join(cell.name for cell in journal.directory.cells() if cell.name != MAIN)
    if cells:
        raise BackupRefused(
            f"a backup holds the store of the journal alone, and sites are in cells ({cells}): back their servers up"
            " with PostgreSQL's own means"
        )
    async with opened(url, most=1) as connections:
        store = PostgresVisitorErasures(connections, url)
        await ErasureListing(store, erasure_list(settings.data_dir, secret)).work()


def _add_store(backup: NewBackup, url: str, snapshot: Snapshot, dumping: Program) -> None:
    server = snapshot.server
    target = Target.of(url, host=server.host, port=server.port, database=server.database)
    backup.add(folder.DATABASE, dumped(dumping, target, server.schema, snapshot.name, SALTS))


def _add_file(backup: NewBackup, name: str, source: Path) -> None:
    with told_of(source):
        if not source.exists():
            return
        with source.open("rb") as file:
            backup.add(name, iter(lambda: file.read(_PIECE), b""))


def _sealed(secret: bytes, passphrase: str) -> bytes:
    salt = new_salt()
    return f"{salt.hex()} {SecretSealing(key_of(passphrase, salt)).seal(secret.hex())}\n".encode()
