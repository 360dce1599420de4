"""Erasing of deleted sites: their rows of every table with a column `site_id`, and their events of the journal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import define, field, frozen
from psycopg import errors, sql

from footfall.adapters.postgres.columns.revocation import revoke_days
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections, StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.session import allow_erasing, commit_without_waiting
from footfall.adapters.postgres.database.sql_files import compose
from footfall.application.journal.event_codec import ERASED
from footfall.application.journal.stream_names import site_streams
from footfall.application.ports.maintenance import DueErasure, LockedErasures

_FOLDER = "maintenance/erasure"


@frozen
class _ErasedTable:
    schema: str
    name: str
    holds_hits: bool


@frozen
class PostgresErasures:
    """Erasures over the table `erasure`, which the database itself fills when a site is deleted."""

    _connections: Connections
    _url: str

    async def waiting(self, now: datetime) -> bool:
        """Whether a round is due."""
        return bool(await self._connections.value(f"{_FOLDER}/is_waiting", now=now))

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedErasures | None]:
        """Lend the lock to erase, with a connection of its own; None when another process holds it."""
        async with holding_lock(AdvisoryLock.ERASURE, self._url) as connection:
            yield None if connection is None else _PostgresLockedErasures(connection)


@define
class _PostgresLockedErasures:
    """Goes through the tables of a round; a table without rows of the site is not read again."""

    _connection: StoreConnection
    _tables: list[_ErasedTable] = field(factory=list, init=False)

    async def next_due(self, now: datetime) -> DueErasure | None:
        """Return the site whose round has been due for the longest time."""
        with translated():
            row = await self._connection.row(f"{_FOLDER}/next_due", now=now)
            if row is None:
                return None
            self._tables = [
                _ErasedTable(**table) for table in await self._connection.rows(f"{_FOLDER}/erasable_tables")
            ]
            await self._revoke(row["site_id"])
        return DueErasure(**row)

    async def erase_some(self, site_id: int, limit: int) -> int:
        """Erase rows of the first table that has some; at last the events of the journal."""
        with translated():
            while self._tables:
                if rows := await self._erase_rows(self._tables[0], site_id, limit):
                    return rows
                del self._tables[0]
            return await self._erase_decisions(site_id)

    async def is_swept(self, site_id: int) -> bool:
        """Whether every node has removed its files of the site."""
        with translated():
            [row] = await self._connection.rows(f"{_FOLDER}/is_swept", site_id=site_id)
        return bool(row["swept"])

    async def finish_round(self, due: DueErasure, *, next_at: datetime | None) -> None:
        """Move the site to its next round."""
        with translated():
            values = {"next_at": next_at, "site_id": due.site_id, "round": due.round}
            await self._connection.run(f"{_FOLDER}/finish_round", **values)

    async def _revoke(self, site_id: int) -> None:
        """Revoke all versions of the site's days first, so that nodes remove their files of them."""
        async with self._connection.transaction():
            await self._connection.run(f"{_FOLDER}/lock_checkpoint")
            await revoke_days(self._connection, site_id)

    async def _erase_rows(self, table: _ErasedTable, site_id: int, limit: int) -> int:
        delete = compose(f"{_FOLDER}/erase_rows", table=sql.Identifier(table.schema, table.name))
        try:
            async with self._connection.transaction():
                await allow_erasing(self._connection)
                await commit_without_waiting(self._connection)
                if not table.holds_hits:
                    await self._connection.run(f"{_FOLDER}/lock_checkpoint")
                return await self._connection.run(delete, site_id=site_id, limit=limit)
        except errors.UndefinedTable:
            return 0  # a month that was dropped meanwhile

    async def _erase_decisions(self, site_id: int) -> int:
        parameters = {"site_id": site_id, "streams": site_streams(site_id), "erased": ERASED}
        async with self._connection.transaction():
            await allow_erasing(self._connection)
            return await self._connection.run(f"{_FOLDER}/erase_decisions", **parameters)
