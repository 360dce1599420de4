"""Downloading a database of locations or networks: verified and opened before it takes the place of the former one."""

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from attrs import evolve, field, frozen

from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.transport import (
    DownloadCredentials,
    DownloadFailed,
    FileTransport,
    NoSuchFile,
    host_of,
)
from footfall.adapters.geoip.unpacking import unpack

__all__ = ["DownloadFailed", "DownloadSource", "published", "received", "workshop", "writing"]

_DBIP = "https://download.db-ip.com/free/dbip-{name}-lite-{{month}}.mmdb.gz"
_MAXMIND = "https://download.maxmind.com/geoip/databases/GeoLite2-{name}/download?suffix=tar.gz"
DBIP_URL, MAXMIND_URL = _DBIP.format(name="city"), _MAXMIND.format(name="City")
DBIP_NETWORKS_URL, MAXMIND_NETWORKS_URL = _DBIP.format(name="asn"), _MAXMIND.format(name="ASN")

_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_DIGEST = re.compile(r"[0-9a-fA-F]+")
_MONTH = "{month}"
_LEFTOVERS = ".geoip-"
_DAY_SECONDS = 86_400

Advance = Callable[[int], None]


class Verifiable(Protocol):
    """An open database."""

    def verify(self) -> None:
        """Read records from all parts of the file.

        Raises:
            DatabaseUnreadable: one is damaged, or the database is of another kind.

        """


Verified = TypeVar("Verified", bound=Verifiable)
Opened = TypeVar("Opened")


@frozen(kw_only=True)
class DownloadSource:
    """The source of a database; `{month}` in the address is this month, or the one before it.

    The checksum is a digest in hexadecimal digits, or the address of a file that begins with one.
    """

    url: str
    checksum: str | None = None
    credentials: DownloadCredentials | None = field(default=None, repr=False)

    @classmethod
    def chosen(
        cls,
        *,
        url: str | None = None,
        checksum: str | None = None,
        account_id: str | None = None,
        license_key: str | None = None,
    ) -> "DownloadSource":
        """Return a given source; else MaxMind's GeoLite2 with a licence key, and DB-IP's free database without one."""
        credentials = DownloadCredentials(account_id, license_key) if account_id and license_key else None
        if url is None and credentials is not None:
            return cls(url=MAXMIND_URL, checksum=checksum or f"{MAXMIND_URL}.sha256", credentials=credentials)
        return cls(url=url or DBIP_URL, checksum=checksum, credentials=credentials)

    def of_networks(self, url: str | None = None) -> "DownloadSource | None":
        """Return a given source of networks; else that of the maker of this database, and None if it is of one's own.

        The licence key goes to the server of this database, and to no other.

        Raises:
            DownloadFailed: the given address is no HTTP address.

        """
        if url is not None:
            same_server = host_of(url) == host_of(self.url)
            return DownloadSource(url=url, credentials=self.credentials if same_server else None)
        if self.url == MAXMIND_URL:
            return evolve(self, url=MAXMIND_NETWORKS_URL, checksum=f"{MAXMIND_NETWORKS_URL}.sha256")
        return evolve(self, url=DBIP_NETWORKS_URL, checksum=None) if self.url == DBIP_URL else None


@contextmanager
def received(
    source: DownloadSource,
    target: Path,
    open_: Callable[[Path], Verified],
    *,
    today: date,
    advance: Advance,
    transport: Callable[..., FileTransport] = FileTransport,
) -> Iterator[Callable[[], Verified]]:
    """Download and test a database, and lend the function that puts it in the place of a file and opens it.

    So several databases replace the former ones only when all are there. `open_` opens a file as a database of the kind
    that is wanted. `advance` is told how many bytes came.

    Raises:
        DownloadFailed: the text is one line that says why, here or when it is put in its place; the former file is as
            it was.

    """
    with workshop(target) as folder:
        packed, plain = folder / "packed", folder / "plain"
        with writing(target):
            asked = transport(source.credentials, server=host_of(source.url))
            _receive(source, packed, today, advance, asked)
            unpack(packed, plain, sender=host_of(source.url))
            _probe(plain, source, open_)
        yield partial(published, plain, target, open_)


def _receive(
    source: DownloadSource, packed: Path, today: date, advance: Advance, transport: FileTransport
) -> None:
    *earlier, last = _addresses(source.url, today)
    for address in earlier:
        try:
            transport.save(address, packed, advance)
            break
        except NoSuchFile:
            continue
    else:
        transport.save(last, packed, advance)
    if source.checksum is not None:
        _verify_checksum(packed, source.checksum, transport)


def _verify_checksum(file: Path, checksum: str, transport: FileTransport) -> None:
    """Compare a file with a digest, or with the one that a file at an address begins with.

    Raises:
        DownloadFailed: they differ, or there is no digest.

    """
    digest = _digest_at(checksum, transport) if "://" in checksum else checksum
    algorithm = _ALGORITHMS.get(len(digest))
    if algorithm is None or not _DIGEST.fullmatch(digest):
        raise DownloadFailed("the checksum is no MD5, SHA-1, SHA-256 or SHA-512 in hexadecimal digits")
    with file.open("rb") as content:
        computed = hashlib.file_digest(content, lambda: hashlib.new(algorithm, usedforsecurity=False))
    if computed.hexdigest() != digest.lower():
        raise DownloadFailed(f"the downloaded file does not have the published checksum ({algorithm})")


def _digest_at(url: str, transport: FileTransport) -> str:
    words = transport.text(url).split()
    if not words:
        raise DownloadFailed(f"the checksum at {host_of(url)} is empty")
    return words[0]


def _addresses(url: str, today: date) -> list[str]:
    """Return the address of this month's file and that of the month before, which is there in any case."""
    if _MONTH not in url:
        return [url]
    before = today.replace(day=1) - timedelta(days=1)
    return [url.replace(_MONTH, f"{day:%Y-%m}") for day in (today, before)]


def _probe(plain: Path, source: DownloadSource, open_: Callable[[Path], Verifiable]) -> None:
    try:
        open_(plain).verify()
    except DatabaseUnreadable as fault:
        raise DownloadFailed(
            f"what {host_of(source.url)} sent is no such database: {fault.reason}"
        ) from fault


@contextmanager
def writing(target: Path) -> Iterator[None]:
    """Say of a failure to write that the file cannot be written.

    Raises:
        DownloadFailed: instead of an OSError.

    """
    try:
        yield
    except OSError as fault:
        raise DownloadFailed(f"{target} cannot be written: {fault.strerror or fault}") from fault


def published(plain: Path, target: Path, open_: Callable[[Path], Opened]) -> Opened:
    """Put a file in the place of another one, in one step, and open it there.

    Raises:
        DownloadFailed: it cannot be written; the former file is as it was.

    """
    with writing(target):
        _publish(plain, target)
        return open_(target)


def _publish(plain: Path, target: Path) -> None:
    with plain.open("rb") as file:
        os.fsync(file.fileno())
    if os.geteuid() == 0:
        # In the data directory of another account, the service of that account must be able to read it.
        owner = target.parent.stat()
        os.chown(plain, owner.st_uid, owner.st_gid)
    plain.replace(target)


@contextmanager
def workshop(target: Path) -> Iterator[Path]:
    """Lend a folder on the file system of a file, and remove those that killed downloads have left."""
    folder = target.parent
    with writing(target):
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob(f"{_LEFTOVERS}*"):
            if time.time() - leftover.stat().st_mtime > _DAY_SECONDS:
                shutil.rmtree(leftover, ignore_errors=True)
        lent = tempfile.TemporaryDirectory(prefix=_LEFTOVERS, dir=folder)
    with lent as name:
        yield Path(name)
