"""Sweeping: files that no current version names are removed, and nodes say so to the erasure of sites."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from attrs import field, frozen

from footfall.adapters.columns.files.manifest import Manifest, UnusableFiles, read_manifest, verify
from footfall.adapters.columns.files.plan import usable_directories
from footfall.adapters.columns.layout import FilesLayout, delete
from footfall.application.ports.columns import ColumnNodes, ColumnStore, DayVersion

# A report that has listed files before others took their place has read them by then.
READ_SECONDS = 60.0
# Damaged files are kept for as long as their days are, but not longer.
ASIDE_SECONDS = 7 * 86_400.0
# No query lasts as long: what is left then is that of a process that was killed.
SPILL_SECONDS = 3_600.0
FRESH_SECONDS = 60.0


@frozen
class Sweeper:
    """Removes files; the caller holds the lock of the node's maker."""

    _layout: FilesLayout
    _store: ColumnStore
    _nodes: ColumnNodes
    # Lets the fresh rows of a site go.
    _forget: Callable[[int], Awaitable[None]]
    _clock: Callable[[], float] = field(default=time.time, kw_only=True)

    async def sweep(self) -> int:
        """Remove all files but those of current versions, acknowledge it, and return the number of directories.

        Each site is acknowledged by itself when its fresh rows are forgotten.

        Raises:
            StoreUnavailable: the store, or the process that has fresh rows, does not answer.
            OSError: something cannot be removed.

        """
        node = self._layout.node_id()
        # Erasures are read before the versions: those of a site that is due are revoked for good.
        due = await self._nodes.due_sweeps(node)
        removals = await self._nodes.due_removals(node)
        erased = {removal.site_id for removal in removals}
        removed = 0
        async with self._store.next_set() as following:
            for site_id in await asyncio.to_thread(self._layout.sites):
                current = await self._current(site_id, None if site_id in due else following)
                removed += await asyncio.to_thread(self._remove, site_id, current)
        await asyncio.to_thread(self._clear_rest, erased)
        for site_id in {*due, *erased}:
            await self._forget(site_id)
            if site_id in due:
                await self._nodes.acknowledge(node, [site_id])
            if own := [removal for removal in removals if removal.site_id == site_id]:
                await self._nodes.acknowledge_removals(node, own)
        return removed

    async def sweep_replaced(self, sites: Collection[int]) -> int:
        """Remove the directories of some sites whose days are all in later ones, and return their number.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        removed = 0
        async with self._store.next_set() as following:
            for site_id in sites:
                current = await self._current(site_id, following)
                removed += await asyncio.to_thread(self._remove_replaced, site_id, current)
        return removed

    async def verify(self) -> int:
        """Compare all files with their digests, set the bad ones aside, and return their number."""
        return await asyncio.to_thread(self._verify)

    async def _current(self, site_id: int, following: ColumnStore | None) -> frozenset[DayVersion]:
        """Return the versions of the set in use, and of the one that is to follow."""
        # In this order, since the exchange may come between.
        coming = [] if following is None else await following.closed_days(site_id)
        return frozenset([*coming, *await self._store.closed_days(site_id)])

    def _remove(self, site_id: int, current: Collection[DayVersion]) -> int:
        directories = self._usable(site_id)
        current_directories = {
            directory: manifest
            for directory, manifest in directories.items()
            if all(day in current for day in manifest.days)
        }
        gone = [directory for directory in directories if directory not in current_directories]
        gone += _replaced(current_directories, current, self._clock())
        for directory in gone:
            self._layout.remove(directory)
        self._clear_aside(site_id, current)
        return len(gone)

    def _clear_rest(self, erased: Collection[int]) -> None:
        # What cannot be read may have hits of visitors who were erased.
        for directory in self._layout.aside.iterdir() if erased else ():
            if _sites_aside(directory) & set(erased):
                delete(directory)
        _clear(self._layout.aside, ASIDE_SECONDS)
        _clear(self._layout.making, 0.0)
        _clear(self._layout.spill, SPILL_SECONDS)
        _clear(self._layout.fresh, FRESH_SECONDS)

    def _remove_replaced(self, site_id: int, current: Collection[DayVersion]) -> int:
        replaced = _replaced(usable_directories(self._layout, site_id), current, self._clock())
        for directory in replaced:
            self._layout.remove(directory)
        return len(replaced)

    def _usable(self, site_id: int | None = None) -> dict[Path, Manifest]:
        usable = {}
        for directory in self._layout.directories(site_id):
            try:
                usable[directory] = self._own_manifest(directory)
            except UnusableFiles as fault:
                self._layout.set_aside(directory, str(fault))
        return usable

    def _own_manifest(self, directory: Path) -> Manifest:
        manifest = read_manifest(directory)
        if directory.parent != self._layout.day(manifest.site_id, manifest.first):
            raise UnusableFiles("they belong elsewhere")
        return manifest

    def _verify(self) -> int:
        bad = 0
        for directory, manifest in self._usable().items():
            try:
                verify(directory, manifest)
            except UnusableFiles as fault:
                self._layout.set_aside(directory, str(fault))
                bad += 1
        return bad

    def _clear_aside(self, site_id: int, current: Collection[DayVersion]) -> None:
        """Remove what was set aside of a site with the days that it holds."""
        for directory in self._layout.aside.glob(f"{site_id}_*"):
            try:
                manifest = read_manifest(directory)
            except UnusableFiles:
                if not current:
                    delete(directory)
            else:
                # Files of another site, which were in the wrong place, go after a week.
                if manifest.site_id == site_id and not all(day in current for day in manifest.days):
                    delete(directory)


def _sites_aside(directory: Path) -> set[int]:
    """Return the site among whose files a directory lay, and that whose files they are."""
    sites = {int(name) for name in directory.name.split("_")[:1] if name.isdecimal()}
    with suppress(UnusableFiles):
        sites.add(read_manifest(directory).site_id)
    return sites


def _replaced(
    directories: Mapping[Path, Manifest], current: Collection[DayVersion], now: float
) -> list[Path]:
    """Return the directories all of whose days are in directories that were made later, and some time ago.

    While a rebuild makes its files a day has two current versions. Of others the one that was made later is the later
    one.
    """
    old, versions, days = [], set[DayVersion](), set[datetime]()
    for directory, manifest in sorted(directories.items(), key=lambda pair: pair[1].made_at, reverse=True):
        if all(day in versions or (day not in current and day.day in days) for day in manifest.days):
            old.append(directory)
        elif now - manifest.made_at.timestamp() >= READ_SECONDS:
            versions.update(manifest.days)
            days.update(day.day for day in manifest.days)
    return old


def _clear(directory: Path, seconds: float) -> None:
    """Remove what is in a directory and has not been changed for some time."""
    if not directory.is_dir():
        return
    for path in directory.iterdir():
        if time.time() - path.lstat().st_mtime >= seconds:
            delete(path)
