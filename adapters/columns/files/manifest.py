"""The manifest of a directory of files: what is in them, and the digests that prove it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from attrs import frozen

from footfall.application.ports.columns import ColumnFiles, DayVersion

# Counted up by each change of the files' columns, of what these mean, or of the manifest: files of another format are
# made anew. An attribute that is added changes no format: it is unknown in files without it.
FORMAT = 7
NAME = "manifest.json"
SESSIONS = "sessions.parquet"
HITS = "hits.parquet"
_PIECE = 1 << 20


class UnusableFiles(Exception):
    """A directory of files cannot be used; the text says why and holds nothing of the files."""


@frozen(kw_only=True)
class FileFacts:
    """The size of a file in rows and bytes, and the BLAKE2b digest of its bytes, 32 bytes in hexadecimal."""

    rows: int
    bytes: int
    digest: str


@frozen(kw_only=True)
class Manifest:
    """Contents of a directory of files: the days of one site, and two files."""

    days: tuple[DayVersion, ...]
    sessions: FileFacts
    hits: FileFacts
    made_at: datetime
    duckdb: str

    @property
    def site_id(self) -> int:
        """The site of all days."""
        return self.days[0].site_id

    @property
    def first(self) -> datetime:
        """The first day."""
        return min(day.day for day in self.days)

    @property
    def last(self) -> datetime:
        """The last day."""
        return max(day.day for day in self.days)

    @property
    def bytes(self) -> int:
        """The size of both files."""
        return self.sessions.bytes + self.hits.bytes

    def files(self, directory: Path) -> ColumnFiles:
        """Return the files in a directory that this manifest describes."""
        return ColumnFiles(self.days, directory / SESSIONS, directory / HITS)


def facts_of(path: Path, rows: int) -> FileFacts:
    """Return the facts of a file."""
    return FileFacts(rows=rows, bytes=path.stat().st_size, digest=digest_of(path))


def write_manifest(directory: Path, manifest: Manifest) -> Path:
    """Write the manifest into the directory, and return its path."""
    path = directory / NAME
    path.write_text(json.dumps(as_json(manifest), indent=2) + "\n", encoding="utf-8")
    return path


def as_json(manifest: Manifest) -> Mapping[str, Any]:
    """Return a manifest as JSON values."""
    return {
        "format": FORMAT,
        "site_id": manifest.site_id,
        "days": [{"day": day.day.isoformat(), "version": str(day.version)} for day in manifest.days],
        "files": {SESSIONS: _facts_as_json(manifest.sessions), HITS: _facts_as_json(manifest.hits)},
        "made_at": manifest.made_at.isoformat(),
        "duckdb": manifest.duckdb,
    }


def read_manifest(directory: Path) -> Manifest:
    """Return the manifest of a directory.

    Raises:
        UnusableFiles: there is none, or it is none of this format.

    """
    try:
        document = json.loads((directory / NAME).read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise UnusableFiles("its files have another format")
        return _manifest(document)
    except OSError:
        raise UnusableFiles("it has no manifest") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise UnusableFiles("its manifest cannot be read") from None


def verify(directory: Path, manifest: Manifest) -> None:
    """Compare the files of a directory with their digests.

    Raises:
        UnusableFiles: a file is missing or differs.

    """
    for name, facts in ((SESSIONS, manifest.sessions), (HITS, manifest.hits)):
        try:
            digest = digest_of(directory / name)
        except OSError:
            raise UnusableFiles(f"{name} cannot be read") from None
        if digest != facts.digest:
            raise UnusableFiles(f"{name} differs from its digest")


def digest_of(path: Path) -> str:
    """Return the BLAKE2b digest of the bytes of a file, 32 bytes in hexadecimal."""
    digest = hashlib.blake2b(digest_size=32)
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _facts_as_json(facts: FileFacts) -> Mapping[str, Any]:
    return {"rows": facts.rows, "bytes": facts.bytes, "blake2b": facts.digest}


def _manifest(document: Mapping[str, Any]) -> Manifest:
    days: Sequence[Mapping[str, str]] = document["days"]
    versions = [
        DayVersion(int(document["site_id"]), datetime.fromisoformat(day["day"]), UUID(day["version"]))
        for day in days
    ]
    if not versions:
        raise ValueError("a manifest names at least one day")
    return Manifest(
        days=tuple(versions),
        sessions=_facts(document["files"][SESSIONS]),
        hits=_facts(document["files"][HITS]),
        made_at=datetime.fromisoformat(document["made_at"]),
        duckdb=str(document["duckdb"]),
    )


def _facts(document: Mapping[str, Any]) -> FileFacts:
    return FileFacts(
        rows=int(document["rows"]), bytes=int(document["bytes"]), digest=str(document["blake2b"])
    )
