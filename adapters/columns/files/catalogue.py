"""The files of this node that reports may read: each has been compared with its digest by this process."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from attrs import define, field

from footfall.adapters.columns.file_traces import Traces, traces
from footfall.adapters.columns.files.manifest import (
    HITS,
    SESSIONS,
    Manifest,
    UnusableFiles,
    read_manifest,
    verify,
)
from footfall.adapters.columns.layout import LONGEST_SPAN_DAYS, FilesLayout
from footfall.application.ports.columns import ColumnFiles

# The sites whose manifests are remembered: each day of one takes 200 bytes.
MOST_SITES = 100
_DAY = timedelta(days=1)


@define
class Catalogue:
    """FileCatalogue over the directories of a node.

    The directories of a site are listed for each report, in some microseconds each. A directory is verified when one of
    its days is asked for first, and again when one of its files has been written to or replaced. One whose files differ
    from their digests is set aside.
    """

    _layout: FilesLayout
    _most_sites: int = field(default=MOST_SITES, kw_only=True)
    # By site, those that were asked about last at the end.
    _read: dict[Path, dict[Path, Manifest]] = field(factory=dict, init=False)
    # The traces that verified files had before that; by site, so that what has gone is looked for among few.
    _verified: dict[Path, dict[Path, Traces]] = field(factory=dict, init=False)
    _distrusted: set[Path] = field(factory=set, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    async def files(self, site_id: int, start: datetime, end: datetime) -> Sequence[ColumnFiles]:
        """Return the files of the days that a span of time touches, those that were made last first."""
        return await asyncio.to_thread(self._files, site_id, start, end)

    def distrust(self, files: Sequence[ColumnFiles]) -> None:
        """Verify files again before they are used, and set them aside at the second time.

        When some have been removed or changed meanwhile, that is why they could not be read.
        """
        if self.have_changed(files):
            return
        with self._lock:
            for chosen in files:
                self._distrust(chosen.hits.parent)

    def have_changed(self, files: Sequence[ColumnFiles]) -> bool:
        """Whether some of these files are no longer what was listed."""
        directories = [chosen.hits.parent for chosen in files]
        with self._lock:
            return any(
                self._traces_of(directory).get(directory, ()) != _traces(directory)
                for directory in directories
            )

    def _distrust(self, directory: Path) -> None:
        self._forget(directory)
        if directory in self._distrusted:
            self._distrusted.discard(directory)
            self._layout.set_aside(directory, "they cannot be read")
        else:
            self._distrusted.add(directory)

    def _files(self, site_id: int, start: datetime, end: datetime) -> Sequence[ColumnFiles]:
        with self._lock:
            usable = {
                directory: manifest
                for directory in self._listed(site_id, start, end)
                if (manifest := self._manifest(directory)) is not None
                and any(start - _DAY < day.day < end for day in manifest.days)
                and self._is_sound(directory, manifest)
            }
        latest = sorted(usable.items(), key=lambda pair: pair[1].made_at, reverse=True)
        return [manifest.files(directory) for directory, manifest in latest]

    def _listed(self, site_id: int, start: datetime, end: datetime) -> Iterable[Path]:
        first = (start - (LONGEST_SPAN_DAYS + 1) * _DAY).date()
        return self._layout.directories_between(site_id, first, end.date())

    def _manifest(self, directory: Path) -> Manifest | None:
        read = self._of_site(directory)
        if directory in read:
            return read[directory]
        try:
            manifest = read_manifest(directory)
        except UnusableFiles as fault:
            self._layout.set_aside(directory, str(fault))
            return None
        # New files take the place of others.
        for gone in [path for path in {**read, **self._traces_of(directory)} if not path.exists()]:
            self._forget(gone)
            self._distrusted.discard(gone)
        read[directory] = manifest
        return manifest

    def _is_sound(self, directory: Path, manifest: Manifest) -> bool:
        # Read before the files are verified: a change meanwhile leads to another check.
        present = _traces(directory)
        if present is not None and self._traces_of(directory).get(directory) == present:
            return True
        try:
            verify(directory, manifest)
        except UnusableFiles as fault:
            self._forget(directory)
            self._layout.set_aside(directory, str(fault))
            return False
        if present is None:
            return False
        self._traces_of(directory)[directory] = present
        return True

    def _forget(self, directory: Path) -> None:
        self._of_site(directory).pop(directory, None)
        self._traces_of(directory).pop(directory, None)

    def _of_site(self, directory: Path) -> dict[Path, Manifest]:
        site = directory.parents[1]
        read = self._read[site] = self._read.pop(site, {})
        if len(self._read) > self._most_sites:
            del self._read[next(iter(self._read))]
        return read

    def _traces_of(self, directory: Path) -> dict[Path, Traces]:
        return self._verified.setdefault(directory.parents[1], {})


def _traces(directory: Path) -> Traces | None:
    return traces(directory / SESSIONS, directory / HITS)
