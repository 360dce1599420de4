"""The days of the columns: closing, and what the makers of files ask."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Self

from attrs import evolve, field, frozen
from psycopg.rows import DictRow

from footfall.adapters.postgres.columns.export import exported
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import in_schema
from footfall.adapters.postgres.database.session import keep_index_order
from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.adapters.postgres.projections.tables import schema_of_copy
from footfall.application.ports.columns import ClosedSites, DayExport, DayVersion

# A day is closed when it ended this long ago, and its last change is as long ago.
QUIET = timedelta(minutes=1)
# A day with fewer hits has no files of its own: to open them would take as long as to bring its rows.
SMALL = 500
# Small days of a site have files when they have so many hits together: the rows of fewer are brought in some tens of
# milliseconds. And when they have become so old: later ones are still changed by late hits.
TOGETHER = 5_000
SETTLED = timedelta(days=3)
# A day that is not over is closed when it has so many hits, which take some tens of milliseconds more as rows.
PRESENT = 5_000
# To count the sessions of a day takes some milliseconds, and the projector waits meanwhile.
DAYS_AT_A_TIME = 10
# Days that another store closed are opened together: that takes some hundred milliseconds.
FOREIGN_AT_A_TIME = 10_000
# After all days of all sites.
_END: Mapping[str, Any] = {"before_day": "infinity", "before_site": 2**63 - 1}
# While another process closes days.
LOCK_SECONDS = 0.2


@frozen
class PostgresColumnStore:
    """ColumnStore over the tables `column_day` and `column_change`.

    Without `quiet` every day is closed, whether it is over or not.
    """

    _connections: Connections
    _url: str
    _quiet: timedelta | None = field(default=QUIET, kw_only=True)
    _small: int = field(default=SMALL, kw_only=True)
    _present: int = field(default=PRESENT, kw_only=True)
    _together: int = field(default=TOGETHER, kw_only=True)
    _at_a_time: int = field(default=DAYS_AT_A_TIME, kw_only=True)

    async def close_due(self) -> int:
        """Close the days that are due; return how many were closed, 0 while another process closes days.

        Raises:
            ProjectionVersionMismatch: another version closes the days.
            StoreUnavailable: the store does not answer; the remaining days stay due.

        """
        due, are_foreign = await self._outlook()
        if not (due or are_foreign):
            return 0
        async with holding_lock(AdvisoryLock.COLUMNS, self._url) as connection:
            if connection is None:
                return 0
            if are_foreign:
                await self._open_foreign(connection)
            return await self._close_all_due(connection)

    async def _open_foreign(self, connection: StoreConnection) -> None:
        """Open the days that another store closed: of all days of a store after a fail-over."""
        opened = FOREIGN_AT_A_TIME
        while opened == FOREIGN_AT_A_TIME:
            with translated():
                async with connection.transaction():
                    await lock_checkpoint(connection)
                    [row] = await connection.rows("columns/days/open_foreign_days", limit=FOREIGN_AT_A_TIME)
            opened = row["days"]

    async def _close_all_due(self, connection: StoreConnection) -> int:
        closed: int = 0
        place = _END
        while True:
            with translated():
                async with connection.transaction():
                    await lock_checkpoint(connection)
                    row = await self._close_some(connection, place)
            closed += row["closed"]
            # Files of days that are not over are made before those of others are revoked.
            if row["days"] < self._at_a_time or row["is_present"]:
                return closed
            place = {"before_day": row["before_day"], "before_site": row["before_site"]}

    async def _close_some(self, connection: StoreConnection, place: Mapping[str, Any]) -> DictRow:
        """Close some days, the latest ones before a place in the order of days and sites."""
        values = {
            "quiet": self._quiet,
            "small": self._small,
            "present": self._present,
            "days": self._at_a_time,
            **place,
        }
        await keep_index_order(connection)
        [row] = await connection.rows(compose("columns/days/close_days"), **values)
        if row["small_sites"]:
            asked = {"sites": row["small_sites"], "settled": SETTLED, "together": self._together}
            await connection.run("columns/days/close_small_days", **asked)
        return row

    async def reopen_changed_days(self, site_id: int) -> datetime:
        """Open the days of a site that files do not hold as they are now; they are due at once.

        Days that begin before the returned instant have been over for an hour; others are left as they are.

        Raises:
            ProjectionVersionMismatch: another version closes the days.
            StoreUnavailable: the store does not answer.

        """
        async with self._connections.connection() as connection, connection.transaction():
            await lock_checkpoint(connection)
            [row] = await connection.rows("columns/days/reopen_changed_days", site_id=site_id)
        before: datetime = row["over_before"]
        return before

    async def unclosed_days(self, site_id: int, before: datetime) -> int:
        """Return how many days of a site that begin before an instant have no version.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        values = {"site_id": site_id, "over_before": before}
        return int(await self._connections.value("columns/days/unclosed_days", **values))

    async def _outlook(self) -> tuple[bool, bool]:
        """Return whether days are due, and whether another store closed some."""
        values = {"quiet": self._quiet, "days": 1, **_END}
        [row] = await self._connections.rows(compose("columns/days/days_are_due"), **values)
        return bool(row["due"]), bool(row["are_foreign"])

    async def closed_days(self, site_id: int | None = None) -> Sequence[DayVersion]:
        """Return the closed days of a site, or of all sites, by site and day."""
        rows = await self._connections.rows("columns/days/closed_days", site_id=site_id)
        return [DayVersion(**row) for row in rows]

    async def hits_of(self, days: Sequence[DayVersion]) -> Mapping[DayVersion, int]:
        """Return how many hits happened on each of these days."""
        values = {"sites": [day.site_id for day in days], "days": [day.day for day in days]}
        rows = await self._connections.rows("columns/days/hits_of_days", **values)
        return {day: row["hits"] for day, row in zip(days, rows, strict=True)}

    async def closed_sites(self, since: datetime | None) -> ClosedSites:
        """Return the sites with days that were closed since an instant; without one, all sites with closed days."""
        [row] = await self._connections.rows("columns/days/closed_sites", since=since or "-infinity")
        return ClosedSites(**row)

    @asynccontextmanager
    async def next_set(self) -> AsyncIterator[Self | None]:
        """Lend the days of the set that a rebuild is filling; None when there is none."""
        schema = schema_of_copy(self._url)
        asked = {"schema": schema, "lock": AdvisoryLock.REBUILD}
        [row] = await self._connections.rows("columns/days/next_set", **asked)
        if not row["is_there"]:
            yield None
            return
        # After the exchange its tables are those in use.
        url = in_schema(self._url, f"{schema},{row['used']}")
        connections = Connections(url, most=1)
        await connections.open()
        try:
            yield evolve(self, connections=connections, url=url)
        finally:
            await connections.close()

    async def close_all(self) -> None:
        """Close all days that are over or have many hits, and those with many changes anew, without waiting for quiet.

        Raises:
            ProjectionVersionMismatch: another version closes the days.
            StoreUnavailable: the store does not answer; the remaining days stay due.

        """
        await self._connections.run("columns/days/hasten_days")
        while any(await self._outlook()):
            if not await self.close_due():
                await asyncio.sleep(LOCK_SECONDS)

    def export(self, days: Sequence[DayVersion]) -> AbstractAsyncContextManager[DayExport | None]:
        """Lend the rows of some days of one site; None when one of their versions is no longer current."""
        return exported(self._url, days)
