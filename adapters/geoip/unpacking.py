"""Unpacks a download: a plain database, one in gzip, or one in a gzipped tar archive."""

import gzip
import tarfile
import zlib
from pathlib import Path
from typing import IO, cast

from footfall.adapters.geoip.transport import DownloadFailed

MAX_DATABASE_BYTES = 2 << 30

_GZIP = b"\x1f\x8b"
_TAR, _TAR_AT = b"ustar", 257
_PIECE = 1 << 20


def unpack(packed: Path, plain: Path, *, sender: str, most_bytes: int = MAX_DATABASE_BYTES) -> None:
    """Write the database that a downloaded file holds to a file of its own.

    Raises:
        DownloadFailed: the file is cut off, damaged, holds none, or one that is too large.
        OSError: the database cannot be written.

    """
    try:
        with packed.open("rb") as raw, plain.open("wb") as out:
            compressed = raw.read(len(_GZIP)) == _GZIP
            raw.seek(0)
            content = cast("IO[bytes]", gzip.GzipFile(fileobj=raw) if compressed else raw)
            head = content.read(_TAR_AT + len(_TAR))
            content.seek(0)
            _copy(_member(content) if head[_TAR_AT:] == _TAR else content, out, most_bytes)
    except (gzip.BadGzipFile, EOFError, zlib.error, tarfile.TarError) as fault:
        raise DownloadFailed(f"what {sender} sent is cut off or damaged") from fault


def _member(archive: IO[bytes]) -> IO[bytes]:
    with tarfile.open(fileobj=archive, mode="r:") as members:
        file = next((member for member in members if member.isfile() and member.name.endswith(".mmdb")), None)
        content = None if file is None else members.extractfile(file)
    if content is None:
        raise DownloadFailed("the archive holds no .mmdb file")
    return content


def _copy(content: IO[bytes], out: IO[bytes], most_bytes: int) -> None:
    while piece := content.read(_PIECE):
        out.write(piece)
        if out.tell() > most_bytes:
            raise DownloadFailed(f"the database is larger than {most_bytes >> 20} MiB")
