"""Rebuilding of the read models in a second set of tables, while the set in use goes on answering."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Self

from attrs import frozen
from psycopg import errors

from footfall.adapters.postgres.database.advisory_locks import (
    AdvisoryLock,
    holding_lock,
    release,
    try_acquire,
)
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.session import limit_lock_waits
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint
from footfall.adapters.postgres.projections.projector import SHARES, Projector, WriterStalled
from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.adapters.postgres.projections.tables import TableSet, drop_copy, make_copy, schema_of_copy
from footfall.application.ports.journal import StoreUnavailable

ATTEMPTS = 20
# Each waits for half a second: long reports end within some.
EXCHANGE_ATTEMPTS = 120

# What erases events holds these: what it does to the set in use would be missing in the other one.
_ERASING = (AdvisoryLock.RETENTION, AdvisoryLock.UNDO)
ERASING_SECONDS = 60.0
REST_SECONDS = 0.2

Progress = Callable[[int, int], None]


class RebuildUnderWay(StoreUnavailable):
    """Another process is rebuilding."""


class EventsErased(StoreUnavailable):
    """Retention, the erasure of a visitor, or the taking back of an import changes the set in use alone."""


class NeverSettled(StoreUnavailable):
    """Goals were defined or changed so often that there was no moment to compare or to exchange."""


class _ReportInTheWay(Exception):
    """A report is being read; the exchange does not wait for it."""


@frozen
class Rebuild:
    """A second set of read models in a schema of its own, fed from the same logs."""

    url: str
    connection: StoreConnection
    used: TableSet
    copied: TableSet
    shadow: Projector
    # Beside `shadow`, while the set is filled.
    second: Projector
    live: Projector

    @classmethod
    @asynccontextmanager
    async def begun(
        cls, url: str, projector: Callable[[str | None], Projector], erasing_seconds: float = ERASING_SECONDS
    ) -> AsyncIterator[Self]:
        """Lend an empty second set; `projector` makes one for a schema, or for the set in use.

        Raises:
            EventsErased: another process takes longer than `erasing_seconds` to erase events.
            RebuildUnderWay: another process is rebuilding.
            ProjectionVersionMismatch: the schema is that of another version.
            StoreUnavailable: the store does not answer.

        """
        async with holding_lock(AdvisoryLock.REBUILD, url) as connection:
            if connection is None:
                raise RebuildUnderWay("another process is rebuilding the projections")
            schema = schema_of_copy(url)
            shadow, second, live = projector(schema), projector(schema), projector(None)
            try:
                with translated():
                    await _keep_from_erasing(connection, erasing_seconds)
                    await lock_checkpoint(connection)
                    used, copied = await make_copy(connection, schema)
                yield cls(url, connection, used, copied, shadow, second, live)
            finally:
                for own in (shadow, second, live):
                    await own.close()
                if not connection.closed:
                    with translated():
                        await drop_copy(connection, schema)
                        await _let_erase(connection)

    async def replay(self, progress: Progress) -> None:
        """Project as far as the set in use is projected; call `progress` with the positions of both sets.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        is_empty = not (await self.copied.positions())[0]
        while True:
            target, _ = await self.used.positions()
            position, _ = await self.copied.positions()
            progress(position, target)
            if position and is_empty:
                # Without statistics the planner takes the wrong one of two indexes, which costs a third of the time.
                await self.vacuum()
                await self._fold_shares(position, target, progress)
                is_empty = False
            elif not await self.shadow.catch_up(up_to=target) and position >= target:
                return

    async def _fold_shares(self, position: int, target: int, progress: Progress) -> None:
        """Fold what is between two positions over two connections, since one of them keeps but one processor busy."""
        reached = [position] * SHARES

        async def fold(projector: Projector, share: int) -> None:
            while reached[share] < target:
                reached[share] = await projector.fold_share(share, after=reached[share], up_to=target)
                progress(min(reached), target)

        folding = [asyncio.ensure_future(fold(*own)) for own in ((self.shadow, 0), (self.second, 1))]
        try:
            await asyncio.gather(*folding)
        finally:
            for task in folding:
                task.cancel()
            await asyncio.wait(folding)
        _, journal_position = await self.copied.positions()
        await self.shadow.move_to(target, journal_position)

    async def differences(self) -> dict[str, int]:
        """Return how many rows of each read model are in only one of the two sets, as of one moment.

        Raises:
            NeverSettled: goals change all the time.
            ProjectionVersionMismatch: the schema was changed meanwhile; the set in use stays.
            StoreUnavailable: the store does not answer.

        """
        async with self._standstill():
            return {table: await self.used.count_differences(self.copied, table) for table in READ_MODELS}

    async def vacuum(self) -> None:
        """Prepare the second set for reports and for the makers of files.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        with translated():
            await self.copied.vacuum()

    async def exchange(self) -> None:
        """Put the second set in the place of the one in use, in one transaction.

        Raises:
            NeverSettled: a long report was being read at each attempt.
            ProjectionVersionMismatch: the schema was changed meanwhile; the set in use stays.
            StoreUnavailable: the store does not answer.

        """
        await self.vacuum()
        for _ in range(EXCHANGE_ATTEMPTS):
            with suppress(_ReportInTheWay):
                async with self._standstill():
                    await self._lock_tables()
                    await self.copied.replace(self.used)
                return
        raise NeverSettled("long reports kept the exchange waiting; try again")

    async def _lock_tables(self) -> None:
        """Lock all tables before any is replaced.

        Locked one after the other while rows move, they end in a deadlock with a transaction that holds a later one and
        waits for an earlier one.
        """
        await limit_lock_waits(self.connection)
        try:
            # A node that is no longer waited for may be reading the second set for its files.
            await self.used.lock()
            await self.copied.lock()
        except errors.LockNotAvailable:
            raise _ReportInTheWay from None

    @asynccontextmanager
    async def _standstill(self) -> AsyncIterator[None]:
        """Hold the checkpoint of the set in use while both sets have projected the same positions."""
        for _ in range(ATTEMPTS):
            # Behind a writer that does not commit, the set in use stands still by itself.
            with suppress(WriterStalled):
                while await self.live.catch_up():
                    pass
            with translated():
                async with self.connection.transaction():
                    await lock_checkpoint(self.connection)
                    if await self._sets_agree():
                        yield
                        return
        raise NeverSettled("goals changed all the time; try again")

    async def _sets_agree(self) -> bool:
        """Bring the second set to the positions of the first; return whether both have nothing left to do."""
        target, _ = await self.used.positions()
        while await self.shadow.catch_up(up_to=target):
            pass
        if await self.used.positions() != await self.copied.positions():
            return False
        sets: Sequence[TableSet] = (self.used, self.copied)
        return not any([await tables.is_unsettled() for tables in sets])


async def _keep_from_erasing(connection: StoreConnection, seconds: float) -> None:
    """Keep others from erasing events; those that do so now are waited for."""
    until = time.monotonic() + seconds
    for lock in _ERASING:
        while not await try_acquire(lock, connection):
            if time.monotonic() >= until:
                raise EventsErased(
                    "retention, the erasure of a visitor, or footfall import undo is erasing events: try again later"
                )
            await asyncio.sleep(REST_SECONDS)


async def _let_erase(connection: StoreConnection) -> None:
    for lock in _ERASING:
        await release(lock, connection)
