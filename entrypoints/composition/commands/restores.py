"""`footfall restore`: a backup becomes a new installation, with everything erased that was erased since."""

import asyncio
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path

from attrs import field, frozen

from footfall import __version__
from footfall.adapters.backup import folder
from footfall.adapters.backup.folder import Backup, read_backup
from footfall.adapters.backup.passphrase import key_of
from footfall.adapters.backup.programs import Program, Target, restored, to_restore
from footfall.adapters.backup.refusal import BackupRefused, told_of
from footfall.adapters.embedded import EmbeddedPostgres, EmbeddedPostgresError, ServeLock
from footfall.adapters.erasure_list import FILE, WrittenList, read_list
from footfall.adapters.postgres.database.migration import is_later, migrate
from footfall.adapters.postgres.maintenance.dumped_store import (
    ServerSchema,
    empty_server,
    forget_nodes,
    reserve_sites,
)
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemClock
from footfall.application.commands.context import CommandContext
from footfall.application.maintenance.site_erasure import Eraser
from footfall.application.ports.erasure_list import ListedErasure
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.application.visitors.selectors import Selectors
from footfall.entrypoints.composition.commands.backups import location_files, programs
from footfall.entrypoints.composition.commands.command_stores import open_traffic, opened
from footfall.entrypoints.composition.commands.visitor_commands import erased
from footfall.entrypoints.composition.secret import FILE as SECRET_FILE
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.stores import UNFINISHED_RESTORE
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import Settings

# What may be in a data directory to which a backup is restored.
_WELCOME = {SECRET_FILE, "serve.lock", "lost+found"}

Tell = Callable[[str], None]


@frozen(kw_only=True)
class RestoreOptions:
    """What a restore is to use beside the backup.

    `erasures` is the latest list of erasures; without one, `without_erasures` goes on knowingly, as `without_secret`
    does without the secret.
    """

    passphrase: Callable[[], str]
    erasures: Path | None = None
    without_erasures: bool = False
    without_secret: bool = False


@frozen(kw_only=True)
class Restored:
    """What was restored, and erased again."""

    backup: Backup
    migrations: int
    sites: int
    visitors: int


@frozen(kw_only=True)
class _Checked:
    """A backup of which everything is known that a restore takes."""

    backup: Backup
    erasures: bytes
    listed: WrittenList
    secret: bytes | None = field(repr=False)


def restore(settings: Settings, path: Path, wanted: RestoreOptions, tell: Tell) -> Restored:
    """Restore a backup to an empty data directory, and to its embedded store or the empty configured database.

    Raises:
        BackupRefused: the backup is damaged, or something that it takes is missing; or the target is not empty.
        EmbeddedPostgresError: the embedded store cannot be started, or is in use.
        SecretUnreadable: a given secret cannot be read.
        StoreUnavailable: the configured database does not answer.

    """
    checked = _checked(settings, path, wanted)
    with ServeLock(settings.data_dir), _unfinished(settings):
        secret = settings.data_dir / SECRET_FILE
        if checked.secret is not None and settings.secret is None and not secret.exists():
            _write(secret, [f"{checked.secret.hex()}\n".encode()])
        with _empty_store(settings) as url:
            _restore_rows(settings, checked.backup, url)
            migrations = migrate(url)
            _write_files(settings, checked)
            sites, visitors = asyncio.run(_settle(settings, url, checked, tell))
    return Restored(backup=checked.backup, migrations=len(migrations), sites=sites, visitors=visitors)


def _checked(settings: Settings, path: Path, wanted: RestoreOptions) -> _Checked:
    """Look at everything before anything is changed."""
    backup = read_backup(path)
    _require_known(backup)
    _require_empty(settings)
    secret = _secret(settings, backup, wanted)
    erasures = _erasures(backup, wanted)
    backup.verify()
    return _Checked(backup=backup, erasures=erasures, listed=read_list(erasures), secret=secret)


def _require_known(backup: Backup) -> None:
    manifest = backup.manifest
    if is_later(manifest.migration):
        raise BackupRefused(
            f"version {manifest.version} made the backup, which is later than this version, {__version__}: restore it"
            " with that version, or a later one"
        )


def _require_empty(settings: Settings) -> None:
    """Raise BackupRefused unless the data directory holds nothing, or what an interrupted restore has left."""
    data_dir = settings.data_dir
    with told_of(data_dir):
        if not data_dir.exists() or (data_dir / UNFINISHED_RESTORE).exists():
            return
        present = sorted({entry.name for entry in data_dir.iterdir()} - _WELCOME)
    if present:
        raise BackupRefused(
            f"the data directory {data_dir} is not empty, it has {present[0]}: a backup is restored to an empty one, in"
            " which the file secret may be"
        )


def _secret(settings: Settings, backup: Backup, wanted: RestoreOptions) -> bytes | None:
    """Return the secret of the server that made the backup; None to go on without it."""
    secret = None
    if settings.secret is not None or (settings.data_dir / SECRET_FILE).exists():
        secret = server_secret(settings)
    elif backup.has(folder.SECRET) and not wanted.without_secret:
        secret = _unsealed(backup, wanted.passphrase())
    if secret is None:
        if wanted.without_secret and wanted.without_erasures:
            return None
        raise BackupRefused(
            "the backup does not hold the secret of the server: give it as FOOTFALL_SECRET, or as the file"
            f" {settings.data_dir / SECRET_FILE}; --without-secret with --without-erasures goes on with a new one"
        )
    if Selectors(secret).check != backup.manifest.secret:
        raise BackupRefused("the secret that is given is not that of the server which made the backup")
    if not backup.manifest.is_signed_by(secret):
        raise BackupRefused(f"{backup.path / folder.MANIFEST} was changed since, or another server made it")
    return secret


def _unsealed(backup: Backup, passphrase: str) -> bytes:
    try:
        salt, sealed = backup.content(folder.SECRET).decode().split()
        key = key_of(passphrase, bytes.fromhex(salt))
    except ValueError:
        raise BackupRefused(f"{backup.path / folder.SECRET} is damaged") from None
    text = SecretSealing(key).open(sealed)
    if text is None:
        raise BackupRefused("the passphrase is not that of the backup")
    return bytes.fromhex(text)


def _erasures(backup: Backup, wanted: RestoreOptions) -> bytes:
    """Return the list of erasures to apply: the given one, which goes on from that of the backup."""
    own = backup.content(folder.ERASURES)
    if wanted.erasures is None:
        if wanted.without_erasures:
            return own
        raise BackupRefused(
            f"what was erased since the backup would come back: give the latest list, {FILE} of the data directory,"
            " with --erasures; --without-erasures goes on with that of the backup"
        )
    with told_of(wanted.erasures):
        given = wanted.erasures.read_bytes()
    listed, before = read_list(given), read_list(own)
    if backup.manifest.secret not in listed.checks or not before.names <= listed.names:
        raise BackupRefused(
            f"{wanted.erasures} does not go on from the list of the backup: it is of another server, or older"
        )
    foreign = [
        erasure for check, erasure in listed.erasures if erasure.selectors and check != backup.manifest.secret
    ]
    if {erasure.name for erasure in foreign} - before.names:
        raise BackupRefused(
            f"{wanted.erasures} has erasures that were made with another secret than that of the backup, and cannot"
            " be found in it; --without-erasures goes on with the list of the backup"
        )
    return given


@contextmanager
def _unfinished(settings: Settings) -> Iterator[None]:
    """Keep services away from the data directory until the restore has ended, and leave nothing when it fails."""
    marker = settings.data_dir / UNFINISHED_RESTORE
    with told_of(marker):
        if marker.exists():
            _clear(settings)
        marker.touch(mode=0o600)
    had_secret = (settings.data_dir / SECRET_FILE).exists()
    try:
        yield
    except _KeptStore:
        raise
    except BaseException:
        _clear(settings)
        if not had_secret:
            (settings.data_dir / SECRET_FILE).unlink(missing_ok=True)
        marker.unlink()
        raise
    marker.unlink()


class _KeptStore(BackupRefused):
    """The configured database holds rows, which are not this command's to drop."""


def _clear(settings: Settings) -> None:
    """Remove what a restore has made in the data directory."""
    store = settings.data_dir / "postgres"
    if store.exists():
        # A killed one leaves PostgreSQL behind, which its last user stops.
        with suppress(EmbeddedPostgresError), EmbeddedPostgres(settings.data_dir):
            pass
        shutil.rmtree(store)
    for file in (*location_files(settings).values(), settings.data_dir / FILE):
        if file.is_relative_to(settings.data_dir):
            file.unlink(missing_ok=True)


@contextmanager
def _empty_store(settings: Settings) -> Iterator[str]:
    """Lend the URL of a database without anything, which keeps its rows when the block fails after they came."""
    if settings.database_url is None:
        with EmbeddedPostgres(settings.data_dir) as server:
            yield server.url
        return
    url = settings.database_url
    if not empty_server(url)[1]:
        raise BackupRefused(
            "the database of FOOTFALL_DATABASE_URL is not empty: a backup is restored to an empty one"
        )
    try:
        yield url
    except BaseException as fault:
        if _may_have_rows(url):
            raise _KeptStore(
                f"{str(fault) or 'interrupted'}: empty the database, and repeat the restore"
            ) from None
        raise


def _may_have_rows(url: str) -> bool:
    try:
        return not empty_server(url)[1]
    except StoreUnavailable:
        return True


def _restore_rows(settings: Settings, backup: Backup, url: str) -> None:
    server, _ = empty_server(url)
    _require_schema(backup, server)
    manifest = backup.manifest
    suitable: Program = to_restore(programs(settings, "pg_restore"), server.version, manifest.program)
    target = Target.of(url, host=server.host, port=server.port, database=server.database)
    restored(suitable, target, manifest.schema, backup.pieces(folder.DATABASE))


def _require_schema(backup: Backup, server: ServerSchema) -> None:
    if server.schema != backup.manifest.schema:
        raise BackupRefused(
            f"the backup is of the schema {backup.manifest.schema}, and FOOTFALL_DATABASE_URL names {server.schema}"
        )


def _write_files(settings: Settings, checked: _Checked) -> None:
    files = {name: place for name, place in location_files(settings).items() if checked.backup.has(name)}
    for name, place in files.items():
        # A configured one is where its operator keeps it.
        if not place.exists():
            _write(place, checked.backup.pieces(name))
    _write(settings.data_dir / FILE, [checked.erasures])


def _write(place: Path, pieces: Iterable[bytes]) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with told_of(place), os.fdopen(os.open(place, flags, 0o600), "wb") as file:
        try:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                around = place.parent.stat()
                os.fchown(file.fileno(), around.st_uid, around.st_gid)
        except BaseException:
            # The next restore would keep a part of a file for the whole.
            place.unlink()
            raise


async def _settle(settings: Settings, url: str, checked: _Checked, tell: Tell) -> tuple[int, int]:
    """Leave the nodes of the former installation behind, and erase again; return how many sites and visitors."""
    listed = [erasure for _, erasure in checked.listed.erasures]
    async with opened(url, most=1) as connections:
        await forget_nodes(connections)
        await reserve_sites(connections, max((erasure.site_id for erasure in listed), default=0))
    async with open_traffic(url) as traffic:
        sites = await _erase_sites(traffic, listed)
        if checked.secret is None:
            return sites, 0
        selectors = Selectors(checked.secret)
        own = [erasure for check, erasure in checked.listed.erasures if check == selectors.check]
        await _ask_again(traffic, own, selectors)
        return sites, await _erase_visitors(settings, traffic, tell)


async def _erase_sites(traffic: OpenTraffic, listed: Sequence[ListedErasure]) -> int:
    store, journal, deleted = traffic.stores[None], traffic.journal, 0
    for erasure in listed:
        if erasure.erasure is None and journal.directory.site(str(erasure.site_id)) is not None:
            await journal.commands.sites.delete(erasure.site_id, CommandContext())
            deleted += 1
    await Eraser(PostgresErasures(store.connections, store.url), SystemClock(), rest=0.0).work()
    await journal.directory.catch_up()
    return deleted


async def _ask_again(traffic: OpenTraffic, listed: Sequence[ListedErasure], selectors: Selectors) -> None:
    """Ask for all erasures of visitors that the backup does not know.

    Those that find nothing are asked for, too: the store knows them then, so that events which come later stay in
    later backups.
    """
    erasures = traffic.stores[None].visitor_erasures
    requested, unknown = await erasures.known(), defaultdict[int, list[ListedErasure]](list)
    for erasure in listed:
        if erasure.erasure is not None and erasure.erasure not in requested and _is_there(traffic, erasure):
            unknown[erasure.site_id].append(erasure)
    for site_id, asked in unknown.items():
        # The ids of a site are read once for all.
        wanted = frozenset(chain.from_iterable(erasure.selectors for erasure in asked))
        matched = await erasures.found(site_id, partial(selectors.found, wanted, site_id))
        for erasure in asked:
            assert erasure.erasure is not None  # noqa: S101 - that of a visitor
            subject = selectors.found(erasure.selectors, site_id, matched.users, matched.visitors)
            again = VisitorErasure(
                erasure=erasure.erasure,
                site_id=site_id,
                requested_at=erasure.at,
                subject=subject,
                selectors=erasure.selectors,
            )
            await erasures.request(site_id, again)


async def _erase_visitors(settings: Settings, traffic: OpenTraffic, tell: Tell) -> int:
    """End all erasures, those that were under way at the backup, too, and return how many found events."""
    waiting = await traffic.stores[None].visitor_erasures.waiting()
    asked = [erasure for erasure in waiting if _is_there(traffic, erasure)]
    finished = [await erased(traffic, settings, erasure, tell) for erasure in asked]
    return sum(erasure.hits > 0 for erasure in finished)


def _is_there(traffic: OpenTraffic, erasure: ListedErasure | VisitorErasure) -> bool:
    """Whether the site of an erasure is there: a deleted one has taken its visitors along."""
    return traffic.journal.directory.site(str(erasure.site_id)) is not None
