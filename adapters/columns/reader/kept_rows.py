"""The fresh rows of one site that are kept, and the state that they have."""

import asyncio
from datetime import datetime, timedelta
from time import monotonic

import duckdb
from attrs import define, field

from footfall.adapters.columns.queries import SiteQuestion
from footfall.adapters.columns.reader.fresh_tables import FreshTables
from footfall.adapters.columns.reader.left_out import LeftOutIds, drop_all
from footfall.application.ports.reports.fresh_rows import FORMER, Wanted
from footfall.domain.periods.period import Period

# Sessions begin on their day and last for one at most; a hit changes those within a day and half an hour of it.
BEFORE, AFTER = timedelta(days=2), timedelta(days=4)


@define(eq=False)
class KeptRows:
    """The rows of a site up to a position; `known` are the days whose rows, or whose changes, are there.

    A day that is known without a version is there as a whole; with one, what has changed since it was given.
    """

    tables: FreshTables
    epoch: str
    lock: asyncio.Lock = field(factory=asyncio.Lock)
    position: int = 0
    known: dict[datetime, str | None] = field(factory=dict)
    bytes: int = 0
    replaced: int = 0
    left_out: list[LeftOutIds] = field(factory=list)
    used_at: float = field(factory=monotonic)
    # Whether its tables are to be removed, or are already: what is there may be of no state at all.
    is_leaving: bool = False

    @property
    def all_bytes(self) -> int:
        """The memory of all tables of the site."""
        return self.bytes + sum(ids.bytes for ids in self.left_out)

    def drop(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Remove all tables of the site."""
        self.tables.drop(connection)
        drop_all(connection, self.left_out)

    def can_become(self, question: SiteQuestion) -> bool:
        """Whether the rows can be brought to the state of a question."""
        return not self.is_leaving and self.epoch == question.epoch and not self._is_superseded(question)

    def _is_superseded(self, question: SiteQuestion) -> bool:
        """Whether files hold by now what would be replaced in rows that are there as a whole."""
        return any(
            version is not None and day in self.known and self.known[day] is None
            for day, version in question.days.items()
        )

    def _missing(self, question: SiteQuestion) -> list[datetime]:
        """Return the days of a question whose rows are not there."""
        return [day for day, version in question.days.items() if not self._knows(day, version)]

    def _knows(self, day: datetime, version: str | None) -> bool:
        # What has changed since an earlier version holds what has changed since a later one.
        return day in self.known and (version is not None or self.known[day] is None)

    @property
    def agrees(self) -> bool:
        """Whether sessions have as many hits as they count: hits are given to those of the time."""
        return not self.epoch.startswith(FORMER)

    def take(self, question: SiteQuestion) -> None:
        """Remember that the rows are those of a question."""
        self.position, self.used_at = question.position, monotonic()
        for day, version in question.days.items():
            self.known[day] = None if self.known.get(day, version) is None else version

    def wanted(self, question: SiteQuestion) -> Wanted | None:
        """Return what is to be brought, so that the rows become those of a question; None for nothing."""
        if not self.bytes:
            return Wanted()
        missing, days = self._missing(question), {*self.known, *question.days}
        if days and (missing or question.position > self.position):
            # Hits of other days may be many: those of an import.
            return Wanted(missing, self.position, Period(min(days) - BEFORE, max(days) + AFTER))
        return None
