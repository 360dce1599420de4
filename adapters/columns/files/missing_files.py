"""Making of all files that a node lacks, one directory after the other."""

import asyncio
import errno
import logging
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import frozen

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import Manifest
from footfall.adapters.columns.files.parquet_writer import FilesNotMade
from footfall.adapters.columns.files.plan import (
    chosen_directories,
    gatherings,
    missing,
    together,
    usable_directories,
    usable_manifests,
)
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.locks import holding
from footfall.application.ports.columns import ColumnStore, DayVersion
from footfall.application.ports.system import Clock

# After each directory a rest as long as it took: the store belongs to ingestion.
REST = 1.0
# Where all processors are in use, a directory can take an hour: the work has given way then already.
MOST_REST_SECONDS = 10.0
FULL = "the disk is full"

_log = logging.getLogger(__name__)


@frozen
class MissingFiles:
    """Makes files until none is missing; any number of processes may do so on a node, one works at a time."""

    _layout: FilesLayout
    _store: ColumnStore
    _maker: Maker
    _clock: Clock
    _rest: float = REST
    _most_rest_seconds: float = MOST_REST_SECONDS

    async def make(self, sites: Collection[int] | None = None) -> int:
        """Make all that is missing, latest days first, gather small days, and return how many directories were made.

        Of the sites that are given nothing else is read: the days of all are many.

        A directory that cannot be made is left out. `trouble` says so until all files are there.

        Raises:
            StoreUnavailable: the store does not answer.
            OSError: the disk is full or cannot be written.

        """
        self._layout.prepare()
        made, failed = 0, 0
        try:
            groups = await self._missing(sites)
            while groups:
                days, *groups = groups
                try:
                    made += await self._make(days)
                except FilesNotMade as failure:
                    failed += len(days) == 1
                    # One day does not keep those beside it from their files.
                    groups += [(day,) for day in days if len(days) > 1]
                    _log.warning("files of columns were not made: %s", failure, extra=_place(days))
            await self._gather(sites)
        except OSError as failure:
            self._report(
                FULL if failure.errno in (errno.ENOSPC, errno.EDQUOT) else "the disk cannot be written"
            )
            raise
        self._report(f"{failed} directories of files could not be made: see the log" if failed else None)
        return made

    async def _missing(self, sites: Collection[int] | None) -> list[tuple[DayVersion, ...]]:
        closed, directories = await self._look(sites)
        days = missing(closed, directories.values())
        return together(days, await self._store.hits_of(days), self._clock.now())

    async def _make(self, days: tuple[DayVersion, ...]) -> bool:
        async with self._resting(), holding(self._layout.making_lock):
            # Another process may have made them meanwhile.
            manifests = await asyncio.to_thread(usable_manifests, self._layout, days[0].site_id)
            return bool(missing(days, manifests)) and await self._maker.make(days) is not None

    async def _gather(self, sites: Collection[int] | None) -> None:
        """Gather the directories of each month; what cannot be gathered stays as it is."""
        closed, directories = await self._look(sites)
        for parts in gatherings(chosen_directories(directories, closed), self._clock.now()):
            async with self._resting(), holding(self._layout.making_lock):
                try:
                    await asyncio.to_thread(self._maker.gather, parts)
                except FilesNotMade as failure:
                    _log.warning(
                        "files of columns were not gathered: %s", failure, extra=_place(_days(parts))
                    )

    async def _look(self, sites: Collection[int] | None) -> tuple[list[DayVersion], dict[Path, Manifest]]:
        """Return the closed days of sites, of all unless some are given, and the directories of their files."""
        closed, directories = list[DayVersion](), dict[Path, Manifest]()
        for site_id in [None] if sites is None else sites:
            closed += await self._store.closed_days(site_id)
            directories |= await asyncio.to_thread(usable_directories, self._layout, site_id)
        return closed, directories

    @asynccontextmanager
    async def _resting(self) -> AsyncIterator[None]:
        """Rest after the block."""
        started = time.perf_counter()
        yield
        rest = (time.perf_counter() - started) * self._rest
        await asyncio.sleep(min(rest, self._most_rest_seconds))

    def _report(self, trouble: str | None) -> None:
        if trouble is None:
            self._layout.trouble.unlink(missing_ok=True)
            return
        # A full disk may refuse this, too: the file that is there already takes no room.
        try:
            self._layout.trouble.write_text(trouble, encoding="utf-8")
        except OSError:
            self._layout.trouble.touch()


def _days(parts: Mapping[Path, Manifest]) -> tuple[DayVersion, ...]:
    return tuple(day for manifest in parts.values() for day in manifest.days)


def _place(days: tuple[DayVersion, ...]) -> dict[str, str | int]:
    return {"site_id": days[0].site_id, "day": days[0].day.date().isoformat()}
