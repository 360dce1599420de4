"""Ports of the columns: days, copied from the store into Parquet files (docs/internals/columns.md)."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import UUID

from attrs import frozen

_DAY = timedelta(days=1)


@frozen
class DayVersion:
    """A state of the sessions that started on one day in UTC at one site.

    `day` is the beginning of the day. The store gives a random version when it closes the day, and revokes it in the
    transaction of any change that is more than some changed sessions.
    """

    site_id: int
    day: datetime
    version: UUID


@frozen
class VisitorRemoval:
    """The erasure of a visitor of a site, after which files of before have to go."""

    erasure: UUID
    site_id: int


@frozen
class ColumnFiles:
    """A pair of files with the sessions of some days of one site, and all hits of these sessions.

    What they hold of a day counts while its version is current.
    """

    days: tuple[DayVersion, ...]
    sessions: Path
    hits: Path


def current_files(
    files: Sequence[ColumnFiles], versions: Mapping[datetime, UUID | None]
) -> Sequence[ColumnFiles]:
    """Return the files some of whose days have these versions, oldest first, each day once.

    Of several files with such a day the first ones count.
    """
    chosen: list[ColumnFiles] = []
    taken = set[datetime]()
    for file in files:
        days = {day.day for day in file.days}
        if not days & taken and any(versions.get(day.day) == day.version for day in file.days):
            taken |= days
            chosen.append(file)
    return sorted(chosen, key=lambda files: files.days[0].day)


def files_between(files: Sequence[ColumnFiles], start: datetime, end: datetime) -> Sequence[ColumnFiles]:
    """Return those files that hold a day which a span touches."""
    return [day_files for day_files in files if any(start - _DAY < day.day < end for day in day_files.days)]


class FileCatalogue(Protocol):
    """The files of this node whose digests have been verified."""

    async def files(self, site_id: int, start: datetime, end: datetime) -> Sequence[ColumnFiles]:
        """Return the files of the days that a span of time touches, those that were made last first.

        Files that hold such a day among others are included. Which of them are current says the store: a report asks
        for the files first, and for their versions in the snapshot that it reads. So an exchange of the read models
        may come between.
        """

    def distrust(self, files: Sequence[ColumnFiles]) -> None:
        """Use files no more that could not be read; they are verified again, and made anew if they are damaged.

        When some of them have been removed or changed meanwhile, that was the reason, and the others stay in use.
        """

    def have_changed(self, files: Sequence[ColumnFiles]) -> bool:
        """Whether some of these files have been written to, replaced or removed since they were listed."""


class ExportedTable(StrEnum):
    """The tables of an export."""

    SESSIONS = "sessions"
    # The ids of all sessions that hits of the export can belong to.
    OWNERS = "owners"
    HITS = "hits"


class DayExport(Protocol):
    """The rows of some days of one site, as of one snapshot of the store.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def copy(self, table: ExportedTable, target: BinaryIO) -> int:
        """Write a table as CSV with a header, and return the number of its rows.

        A null is an empty field, an empty text is a quoted one.
        """


@frozen
class ClosedSites:
    """Sites with days that were closed up to an instant `at`, in the set of read models `set_id`."""

    sites: Sequence[int]
    at: datetime
    set_id: UUID | None


class ColumnStore(Protocol):
    """The days of a set of read models as those see them that make the files.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def close_due(self) -> int:
        """Close the days that are over and quiet, and present ones with many hits, those with many changes anew.

        Return how many were closed. Some may stay due: those of days that are not over come in turns.
        """

    async def closed_days(self, site_id: int | None = None) -> Sequence[DayVersion]:
        """Return the closed days of a site, or of all sites, by site and day."""

    async def hits_of(self, days: Sequence[DayVersion]) -> Mapping[DayVersion, int]:
        """Return how many hits happened on each of these days."""

    async def closed_sites(self, since: datetime | None) -> ClosedSites:
        """Return the sites with days that were closed since an instant; without one, all sites with closed days."""

    def next_set(self) -> AbstractAsyncContextManager["ColumnStore | None"]:
        """Lend the days of the set that a rebuild is filling; None when there is none.

        After the exchange they are those of the set in use.
        """

    def export(self, days: Sequence[DayVersion]) -> AbstractAsyncContextManager[DayExport | None]:
        """Lend the rows of some days of one site; None when one of their versions is no longer current."""


class ColumnNodes(Protocol):
    """The nodes that hold files, and what the erasure of a site asks of them.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def register(self, node: UUID) -> None:
        """Record that a node may hold files; repeated while it does."""

    async def leave(self, node: UUID) -> bool:
        """Record that a node holds no files any more; return False when it is not registered."""

    async def due_sweeps(self, node: UUID) -> Sequence[int]:
        """Return the deleted sites whose files this node has not swept, although all their versions are revoked."""

    async def acknowledge(self, node: UUID, site_ids: Sequence[int]) -> None:
        """Record that this node holds no file of these deleted sites."""

    async def due_removals(self, node: UUID) -> Sequence[VisitorRemoval]:
        """Return the erasures of visitors whose hits may be in files of this node, although no version names these."""

    async def acknowledge_removals(self, node: UUID, removals: Sequence[VisitorRemoval]) -> None:
        """Record that this node holds no file with what these erasures erased."""

    async def asked(self, node: UUID) -> datetime | None:
        """Return when a rebuild asked this node for the files of its set; None when that is answered."""

    async def answer(self, node: UUID, asked_at: datetime) -> None:
        """Record that this node has the files that were asked for, as far as it can make them."""
