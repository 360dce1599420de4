"""The folder of a backup: files that only their owner reads, and last a manifest with the size and digest of each."""

import hmac
import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, BinaryIO

from attrs import asdict, define, evolve, field, frozen

from footfall.adapters.backup.refusal import BackupRefused, told_of

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE, ERASURES, SECRET = "database.dump", "erasures.log", "secret.sealed"
LOCATIONS, NETWORKS, BOTS = "locations.mmdb", "networks.mmdb", "bots.json"
NAMES = frozenset({DATABASE, ERASURES, SECRET, LOCATIONS, NETWORKS, BOTS})

_PIECE = 1 << 20
_LARGEST_MANIFEST = 1 << 16


@frozen
class StoredFile:
    """The size of a file in bytes, and its SHA-256."""

    bytes: int
    sha256: str


@frozen(kw_only=True)
class BackupManifest:
    """What a backup holds, as of one snapshot of the store.

    `server` and `program` are the major versions of PostgreSQL and of its program; `secret` tells the secret of the
    server from others, and not what it is. `signature` is that of the server, without which a stranger could have made
    the backup: what a dump holds is executed by its restore.
    """

    version: str
    made_at: str
    migration: int
    schema: str
    server: int
    program: int
    journal_position: int
    hit_position: int
    secret: str
    files: Mapping[str, StoredFile]
    signature: str = ""
    format: int = FORMAT

    @property
    def size(self) -> int:
        """The size of all files, in bytes."""
        return sum(file.bytes for file in self.files.values())

    def signature_by(self, secret: bytes) -> str:
        """Return the signature of the server that has this secret."""
        key = blake2b(secret, digest_size=32, person=b"backups").digest()
        facts = asdict(evolve(self, signature=""))
        return hmac.digest(key, json.dumps(facts, sort_keys=True).encode(), "sha256").hex()

    def is_signed_by(self, secret: bytes) -> bool:
        """Whether the server that has this secret made the backup as it is."""
        return hmac.compare_digest(self.signature.encode(), self.signature_by(secret).encode())


@define
class NewBackup:
    """The folder of a backup that is being made."""

    _path: Path
    _folder: int
    _files: dict[str, StoredFile] = field(factory=dict, init=False)

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a file, durably."""
        digest, size = sha256(), 0
        with told_of(self._path / name), self._created(name) as file:
            # Named before it is whole, so that a failure takes it away.
            self._files[name] = StoredFile(0, "")
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                size += len(piece)
            file.flush()
            os.fsync(file.fileno())
        self._files[name] = StoredFile(size, digest.hexdigest())

    def finish(self, signing: bytes, **facts: Any) -> BackupManifest:
        """Write the manifest, which makes the folder a backup, signed with the secret of the server."""
        manifest = BackupManifest(files=dict(self._files), **facts)
        manifest = evolve(manifest, signature=manifest.signature_by(signing))
        draft = f"{MANIFEST}.unfinished"
        self.add(draft, [json.dumps(asdict(manifest), indent=2).encode(), b"\n"])
        with told_of(self._path):
            os.fsync(self._folder)
            os.rename(draft, MANIFEST, src_dir_fd=self._folder, dst_dir_fd=self._folder)
            os.fsync(self._folder)
        return manifest

    def discard(self) -> None:
        """Take away what was written."""
        for name in self._files:
            with suppress(OSError):
                os.unlink(name, dir_fd=self._folder)

    def _created(self, name: str) -> BinaryIO:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.fdopen(os.open(name, flags, 0o600, dir_fd=self._folder), "wb")


@contextmanager
def new_backup(path: Path) -> Iterator[NewBackup]:
    """Lend a new folder, or an empty one; after a failure there is no new one, or it is empty again.

    Raises:
        BackupRefused: the folder holds something, or cannot be written.

    """
    with told_of(path):
        is_new = not path.exists()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Its name may lead elsewhere from now on.
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with told_of(path):
            if os.listdir(folder):  # noqa: PTH208 - of a descriptor
                raise BackupRefused(f"{path} is not empty: a backup has a folder of its own")
            os.fchmod(folder, 0o700)
        backup = NewBackup(path, folder)
        try:
            yield backup
        except BaseException:
            backup.discard()
            if is_new:
                with suppress(OSError):
                    path.rmdir()
            raise
    finally:
        os.close(folder)


@frozen
class Backup:
    """The folder of a backup, whose files are opened without following links."""

    path: Path
    manifest: BackupManifest

    def verify(self) -> None:
        """Read each file.

        Raises:
            BackupRefused: one lacks, or differs from what was written.

        """
        for name in self.manifest.files:
            for _ in self.pieces(name):
                pass

    def has(self, name: str) -> bool:
        """Whether the backup has a file."""
        return name in self.manifest.files

    def content(self, name: str) -> bytes:
        """Return a small file; nothing for one that the backup does not have.

        Raises:
            BackupRefused: it lacks, or differs from what was written.

        """
        return b"".join(self.pieces(name)) if self.has(name) else b""

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a file piece by piece.

        Raises:
            BackupRefused: it lacks, or differs from what was written: at its end for what its size does not tell.

        """
        expected, digest = self.manifest.files[name], sha256()
        with told_of(self.path / name), closing(_opened(self.path / name)) as file:
            if os.fstat(file.fileno()).st_size != expected.bytes:
                raise BackupRefused(
                    f"{self.path / name} is damaged: it has another size than when it was written"
                )
            while piece := file.read(_PIECE):
                digest.update(piece)
                yield piece
        if digest.hexdigest() != expected.sha256:
            raise BackupRefused(f"{self.path / name} is damaged: it differs from what was written")


def read_backup(path: Path) -> Backup:
    """Return the backup in a folder.

    Raises:
        BackupRefused: there is none that is complete, or one of a later format.

    """
    place = path / MANIFEST
    try:
        with told_of(place), closing(_opened(place)) as file:
            written = json.loads(file.read(_LARGEST_MANIFEST))
    except (ValueError, RecursionError):
        raise BackupRefused(f"{place} is damaged") from None
    except BackupRefused:
        if path.is_dir() and not os.path.lexists(place):
            raise BackupRefused(f"{path} holds no backup that was completed: it has no {MANIFEST}") from None
        raise
    return Backup(path, _manifest(place, written))


def _manifest(place: Path, written: Any) -> BackupManifest:
    if isinstance(written, dict) and written.get("format") != FORMAT:
        raise BackupRefused(f"{place.parent} is a backup of a format that this version does not know")
    try:
        files = {
            name: StoredFile(int(file["bytes"]), str(file["sha256"]))
            for name, file in written["files"].items()
        }
        manifest = BackupManifest(**{**written, "files": files})
    except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
        raise BackupRefused(f"{place} is damaged") from None
    texts: tuple[Any, ...] = (
        manifest.version,
        manifest.made_at,
        manifest.schema,
        manifest.secret,
        manifest.signature,
    )
    numbers: tuple[Any, ...] = (
        manifest.migration,
        manifest.server,
        manifest.program,
        manifest.journal_position,
        manifest.hit_position,
    )
    # What is told at the terminal must not control it.
    if (
        not all(isinstance(text, str) and text.isprintable() for text in texts)
        or not all(isinstance(number, int) for number in numbers)
        or not manifest.signature
        or not {DATABASE} <= set(files) <= NAMES
    ):
        raise BackupRefused(f"{place} is damaged")
    return manifest


def _opened(place: Path) -> BinaryIO:
    """Open a regular file."""
    # A pipe without a writer would be waited for.
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BackupRefused(f"{place} is no regular file")
    return os.fdopen(descriptor, "rb")
