"""Export: a consistent set of the files of one site, in a directory that other engines read as it is."""

import json
import shutil
from collections.abc import Collection
from pathlib import Path

from attrs import frozen

from footfall.adapters.columns.files.manifest import (
    FORMAT,
    HITS,
    NAME,
    SESSIONS,
    Manifest,
    as_json,
    digest_of,
)
from footfall.adapters.columns.files.plan import chosen_directories, usable_directories
from footfall.adapters.columns.layout import FilesLayout, sync
from footfall.application.ports.columns import DayVersion
from footfall.domain.exceptions import DomainError

_FOLDERS = {SESSIONS: "sessions", HITS: "hits"}


class ExportRefused(DomainError):
    """Files cannot be exported; the text says why."""


@frozen
class ExportedFiles:
    """The result of an export."""

    days: int
    sessions: int
    hits: int


def export_files(layout: FilesLayout, days: Collection[DayVersion], target: Path) -> ExportedFiles:
    """Copy the files of these days of one site into a new or empty directory, and write its manifest last.

    The caller holds the lock of the maker.

    Raises:
        ExportRefused: the directory is not empty, a day has no files, or a copy differs from its digest.
        OSError: the directory cannot be written.

    """
    chosen = chosen_directories(usable_directories(layout), days)
    if sum(len(manifest.days) for manifest in chosen.values()) != len(days):
        raise ExportRefused("some days have no files yet: try again in a minute")
    _prepare(target)
    for directory, manifest in chosen.items():
        for name, folder in _FOLDERS.items():
            _copy(directory / name, target / folder / _file_name(manifest), manifest)
    manifests = list(chosen.values())
    _write_manifest(target, manifests)
    return ExportedFiles(
        days=len(days),
        sessions=sum(manifest.sessions.rows for manifest in manifests),
        hits=sum(manifest.hits.rows for manifest in manifests),
    )


def _prepare(target: Path) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ExportRefused(f"{target} is there already and is not an empty directory")
    for folder in _FOLDERS.values():
        (target / folder).mkdir(mode=0o700, parents=True, exist_ok=True)


def _copy(source: Path, copy: Path, manifest: Manifest) -> None:
    shutil.copyfile(source, copy)
    facts = manifest.sessions if source.name == SESSIONS else manifest.hits
    if digest_of(copy) != facts.digest:
        raise ExportRefused(f"{source} is damaged: run footfall columns verify, and try again")
    sync(copy)


def _write_manifest(target: Path, manifests: list[Manifest]) -> None:
    entries = []
    for manifest in manifests:
        entry = dict(as_json(manifest))
        files = entry.pop("files")
        entry["files"] = {
            f"{folder}/{_file_name(manifest)}": files[name] for name, folder in _FOLDERS.items()
        }
        entries.append(entry)
    document = {"format": FORMAT, "sets": entries}
    (target / NAME).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    for directory in (*(target / folder for folder in _FOLDERS.values()), target):
        sync(directory)


def _file_name(manifest: Manifest) -> str:
    first, last = manifest.first.date(), manifest.last.date()
    return f"{first}.parquet" if first == last else f"{first}_{last}.parquet"
