"""Making of files: an export of the store as CSV, written by DuckDB as Parquet, and put in its place as a whole."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
from attrs import frozen

from footfall.adapters.columns.files.manifest import (
    HITS,
    SESSIONS,
    Manifest,
    UnusableFiles,
    facts_of,
    verify,
    write_manifest,
)
from footfall.adapters.columns.files.parquet_writer import FilesNotMade, ParquetWriter
from footfall.adapters.columns.layout import FilesLayout, sync
from footfall.application.ports.columns import ColumnStore, DayExport, DayVersion, ExportedTable
from footfall.application.ports.system import Clock

_BUFFER = 1 << 20
_KINDS = {SESSIONS: "sessions", HITS: "hits"}


@frozen
class Maker:
    """Makes the files of closed days."""

    _layout: FilesLayout
    _store: ColumnStore
    _clock: Clock

    async def make(self, days: Sequence[DayVersion]) -> Path | None:
        """Make a directory of files for some days of one site; None when their versions are no longer current.

        Raises:
            FilesNotMade: DuckDB failed, or the rows contradict each other.
            StoreUnavailable: the store does not answer.
            OSError: the disk is full or cannot be written.

        """
        self._layout.prepare()
        working = self._layout.new_making()
        try:
            async with self._store.export(days) as export:
                if export is None:
                    return None
                for table in ExportedTable:
                    await _save(export, table, working)
            manifest = await asyncio.to_thread(self._write, working, tuple(days))
            return self._put_in_place(working, manifest)
        finally:
            shutil.rmtree(working, ignore_errors=True)

    def gather(self, parts: Mapping[Path, Manifest]) -> Path | None:
        """Make one directory of the files of several, whose days are of one month of one site.

        It holds the versions of all their days. A damaged directory is set aside; nothing is made then.

        Raises:
            FilesNotMade: DuckDB failed, or rows were lost.
            OSError: the disk is full or cannot be written.

        """
        self._layout.prepare()
        if not all(self._is_sound(directory, manifest) for directory, manifest in parts.items()):
            return None
        working = self._layout.new_making()
        try:
            return self._put_in_place(working, self._write_gathered(working, parts))
        finally:
            shutil.rmtree(working, ignore_errors=True)

    def _is_sound(self, directory: Path, manifest: Manifest) -> bool:
        try:
            verify(directory, manifest)
        except UnusableFiles as fault:
            self._layout.set_aside(directory, str(fault))
            return False
        return True

    def _write(self, working: Path, days: tuple[DayVersion, ...]) -> Manifest:
        finished = _finished(working)
        with ParquetWriter.opened(working) as writer:
            hits = writer.write_hits(finished / HITS)
            sessions = writer.write_sessions(finished / SESSIONS, finished / HITS)
        return self._completed(finished, days, {SESSIONS: sessions, HITS: hits})

    def _write_gathered(self, working: Path, parts: Mapping[Path, Manifest]) -> Manifest:
        finished = _finished(working)
        with ParquetWriter.opened(working) as writer:
            rows = {
                name: writer.gather([part / name for part in parts], finished / name, kind)
                for name, kind in _KINDS.items()
            }
        manifests = parts.values()
        if rows != {
            SESSIONS: sum(manifest.sessions.rows for manifest in manifests),
            HITS: sum(manifest.hits.rows for manifest in manifests),
        }:
            raise FilesNotMade("rows were lost where files were gathered")
        days = tuple(
            sorted((day for manifest in manifests for day in manifest.days), key=lambda day: day.day)
        )
        return self._completed(finished, days, rows)

    def _completed(self, finished: Path, days: tuple[DayVersion, ...], rows: Mapping[str, int]) -> Manifest:
        """Write the manifest of finished files, and wait until all is on the disk."""
        manifest = Manifest(
            days=days,
            sessions=facts_of(finished / SESSIONS, rows[SESSIONS]),
            hits=facts_of(finished / HITS, rows[HITS]),
            made_at=self._clock.now(),
            duckdb=duckdb.__version__,
        )
        for path in (finished / SESSIONS, finished / HITS, write_manifest(finished, manifest), finished):
            sync(path)
        return manifest

    def _put_in_place(self, working: Path, manifest: Manifest) -> Path:
        day = self._layout.day(manifest.site_id, manifest.first)
        for directory in (day.parent, day):
            directory.mkdir(mode=0o700, exist_ok=True)
        made = (working / "finished").rename(day / working.name)
        for directory in (day, day.parent, self._layout.cell):
            sync(directory)
        return made


def _finished(working: Path) -> Path:
    finished = working / "finished"
    finished.mkdir(mode=0o700)
    return finished


async def _save(export: DayExport, table: ExportedTable, directory: Path) -> None:
    with (directory / f"{table}.csv").open("wb", buffering=_BUFFER) as file:
        await export.copy(table, file)
