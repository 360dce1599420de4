"""Ports of the columns: days, copied from the store into Parquet files (docs/columns.md)."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import UUID

from attrs import frozen


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
class ColumnFiles:
    """A pair of files with the sessions of some days of one site, and all hits of these sessions.

    What they hold of a day counts while its version is current. No day is in two pairs of one list.
    """

    days: tuple[DayVersion, ...]
    sessions: Path
    hits: Path


class FileCatalogue(Protocol):
    """The files of this node whose digests have been verified."""

    async def files(self, site_id: int, start: datetime, end: datetime) -> Sequence[ColumnFiles]:
        """Return the files of the days that a span of time touches, oldest first, each day once.

        Files that hold such a day among others are included. Which of them are current says the store: a report asks
        for the files first, and for their versions in the snapshot that it reads.
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


class ColumnStore(Protocol):
    """The days of the store as those see them that make the files.

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

    async def closed_sites(self, since: datetime | None) -> tuple[Sequence[int], datetime]:
        """Return the sites with days that were closed since an instant, and up to when they are known.

        Without an instant all sites with closed days are returned.
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
