"""The projector: folds the traffic log into the read models, slice by slice, each slice exactly once."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from attrs import define, field, frozen
from psycopg import errors
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import Connections, StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import look_first_in
from footfall.adapters.postgres.database.session import without_nested_loops
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.projections.checkpoint import lock_checkpoint, try_lock_checkpoint
from footfall.adapters.postgres.projections.error_days import REST, count_error_days
from footfall.adapters.postgres.projections.error_grouping import group_errors
from footfall.adapters.postgres.projections.goal_matching import GoalMatching
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.measured_days import note_measured_sessions
from footfall.adapters.postgres.projections.read_models import (
    CONVERSION_SUMS,
    CONVERSIONS,
    FOLDS,
    FOLDS_OF_ERRORS,
    REGROUPING,
    SESSIONS,
    WORKING_TABLES,
)
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.journal import StoreUnavailable

# A slice takes about a quarter of a second, which limits the wait for the lock and spreads the cost of the statements.
SLICE = 20_000
FORGOTTEN = 20_000
# Shares of the visitors, while a set is filled that no report reads yet.
SHARES = 2
# Between two looks at the log.
PAUSE_SECONDS = 0.2
# Between two slices of all projectors: hits gather meanwhile, and writers are stopped less often.
REST_SECONDS = 0.35
RETRY_SECONDS = 1.0
# The connection to an idle store stays as long: its preparation takes as long as a slice.
KEEP_SECONDS = 30.0

_log = logging.getLogger(__name__)


class WriterStalled(StoreUnavailable):
    """A writer of the traffic log keeps its transaction open; how far the log may be read is not known meanwhile."""


@frozen(kw_only=True)
class Outlook:
    """The positions of the logs and of the projections, and the work that waits."""

    position: int
    journal_position: int
    newest: int
    journal_newest: int
    filling: bool
    forgetting: bool
    counting: bool
    rested: bool

    @property
    def behind(self) -> bool:
        """Whether a log may hold more than has been projected."""
        return self.newest > self.position or self.journal_newest > self.journal_position

    @property
    def has_hits(self) -> bool:
        """Whether the traffic log may hold more than has been projected."""
        return self.newest > self.position

    @property
    def due(self) -> bool:
        """Whether there is something to do, and it is time for it."""
        return self.rested and (self.behind or self.filling or self.forgetting or self.counting)


@define(eq=False)
class Projector:
    """Projects slices; any number may run at the same time, since the checkpoint is a lock, and moves with each slice.

    With a `schema`, the tables of that schema are written, while the logs are read where they are. While the store is
    idle by its `pulse`, there is no connection: a look then asks over the `pool`.
    """

    _url: str = field(repr=False)
    _goals: GoalVersions
    _matching: GoalMatching = field(default=GoalMatching(), kw_only=True)
    _schema: str | None = field(default=None, kw_only=True)
    _size: int = field(default=SLICE, kw_only=True)
    _count_rest: timedelta = field(default=REST, kw_only=True)
    _pulse: Pulse = field(factory=Pulse.of_main, kw_only=True)
    _pool: Connections | None = field(default=None, kw_only=True)
    _connection: StoreConnection | None = field(default=None, init=False, repr=False)
    _woken: asyncio.Event = field(factory=asyncio.Event, init=False)

    async def run(self) -> None:
        """Keep the read models current until cancelled; an unreachable store is tried again."""
        again = False
        try:
            while True:
                try:
                    again = (again or await self._is_due()) and await self.catch_up()
                except StoreUnavailable as reason:
                    _report(reason)
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                if not again:
                    await self._pause()
        finally:
            await self.close()

    def wake(self) -> None:
        """Make `run` look at the log now."""
        self._woken.set()
        self._pulse.use()

    async def catch_up(self, *, up_to: int | None = None) -> bool:
        """Project the next slice of both logs, or a piece of a new goal's past; return whether there is more to do.

        While another projector holds the checkpoint there is nothing to do. The log is read no further than the
        position `up_to`, if one is given: another set of read models has been projected up to there, so that no
        writer is still to commit a position before it.

        Raises:
            WriterStalled: without `up_to`, a writer does not commit; nothing was projected.
            StoreUnavailable: the store does not answer; the slice was rolled back.

        """
        async with self._working() as connection:
            return await self._catch_up(connection, up_to)

    async def fold_share(self, share: int, *, after: int, up_to: int) -> int:
        """Fold a long slice of the hits of every second visitor, and return the position of its end.

        Two projectors with the shares 0 and 1 may fill one set side by side: hits of a visitor change no session of
        another one. What they change of all sessions they change in turn, under the lock of the checkpoint, which
        stays where it is.

        Raises:
            ProjectionVersionMismatch: the read models are those of another version.
            StoreUnavailable: the store does not answer; the slice was rolled back.

        """
        reached = min(after + self._size * SHARES, up_to)
        async with self._working() as connection, connection.transaction():
            await self._take(connection, after, reached, share)
            await lock_checkpoint(connection)
            await self._add_up(connection, after, reached)
        return reached

    async def move_to(self, position: int, journal_position: int) -> None:
        """Move the checkpoint behind the slices that were folded in shares.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        moved = {"position": position, "journal_position": journal_position}
        async with self._working() as connection:
            await connection.run("projections/checkpoint/move_checkpoint", **moved)

    async def close(self) -> None:
        """Close the connection; the next call opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _is_due(self) -> bool:
        """Whether a report waits for the next slice, or the last slice is some time ago."""
        if self._woken.is_set():
            self._woken.clear()
            return True
        if self._connection is None and self._pool is not None:
            async with self._pool.connection() as connection:
                return (await self._outlook(connection)).due
        with translated():
            return (await self._outlook(await self._connected())).due

    async def _pause(self) -> None:
        if self._pulse.idle:
            await self._wait_for_news()
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE_SECONDS):
                await self._woken.wait()

    async def _wait_for_news(self) -> None:
        """Wait as long as the store is idle; after a moment without a connection."""
        waiting = asyncio.ensure_future(self._pulse.wait_for_news())
        try:
            await asyncio.wait([waiting], timeout=KEEP_SECONDS)
            if not waiting.done():
                await self.close()
            await waiting
        finally:
            waiting.cancel()

    async def _catch_up(self, connection: StoreConnection, up_to: int | None) -> bool:
        outlook = await self._outlook(connection)
        more = False
        if outlook.has_hits or outlook.filling:
            # Others may be leaving more: an import by a command.
            self._pulse.use()
        if outlook.behind:
            # Without new hits no writer has to be asked how far they are complete.
            more = await self._project(connection, up_to if outlook.has_hits else outlook.position)
        if outlook.filling:
            more = await self._fill(connection) or more
        if outlook.forgetting:
            more = await self._forget(connection) or more
        if outlook.counting:
            more = await self._count_days(connection) or more
        return more

    async def _project(self, connection: StoreConnection, up_to: int | None) -> bool:
        # The question for the high-water mark stops writers for a moment: only a projector that gets the lock asks it.
        async with self._holding_checkpoint(connection) as free:
            if free is None:
                return False
        # In a transaction of its own: its lock keeps writers waiting until the transaction ends.
        high_water_mark = await self._high_water_mark(connection) if up_to is None else up_to
        async with self._holding_checkpoint(connection) as checkpoint:
            if checkpoint is None:
                return False
            position, journal_position = checkpoint["position"], checkpoint["journal_position"]
            journal_newest = (await self._outlook(connection)).journal_newest
            await self._goals.learn(
                connection, after=journal_position, up_to=journal_newest, position=position
            )
            reached: int = min(position + self._size, max(high_water_mark, position))
            if reached > position:
                await self._take(connection, position, reached, None)
                await self._add_up(connection, position, reached)
            moved = {"position": reached, "journal_position": journal_newest}
            await connection.run("projections/checkpoint/move_checkpoint", **moved)
            # The set that a rebuild fills has not reached these positions before.
            if self._schema is None:
                await connection.run("projections/checkpoint/note_positions", **moved)
        # New goals of the journal may have a past to be counted.
        return reached < high_water_mark or journal_newest > journal_position

    async def _take(self, connection: StoreConnection, after: int, up_to: int, share: int | None) -> None:
        """Take a slice and fold what is in rows of single sessions."""
        async with without_nested_loops(connection):
            values = {"after": after, "up_to": up_to, "share": share}
            await connection.run("projections/session_forming/take_slice", **values)
        await self._form_sessions(connection, after)
        for name in SESSIONS:
            await connection.run(f"projections/{name}")
        await self._count_conversions(connection, None)

    async def _form_sessions(self, connection: StoreConnection, after: int) -> None:
        """Give sessions to the hits that have none yet; those of hits up to the position `after` may change by that."""
        if not await connection.value("projections/session_forming/has_late_hits"):
            return
        async with without_nested_loops(connection):
            await connection.run("projections/session_forming/place_hits", after=after)
        await connection.run("projections/session_forming/keep_places")
        if await connection.run("projections/regrouping/collect_regrouped"):
            for name in REGROUPING:
                await connection.run(f"projections/{name}")

    async def _add_up(self, connection: StoreConnection, after: int, up_to: int) -> None:
        """Fold what is in rows of all sessions."""
        for name in ("sessions/write_traffic_buckets", *CONVERSION_SUMS):
            await connection.run(f"projections/{name}")
        await connection.run("projections/errors/collect_new_errors")
        # Those of sessions that are formed anew have been collected with these.
        if await connection.value("projections/errors/has_errors"):
            for name in FOLDS_OF_ERRORS:
                await connection.run(f"projections/{name}")
            await group_errors(connection)
        for name in FOLDS:
            await connection.run(f"projections/{name}")
        await note_measured_sessions(connection, after=after, up_to=up_to)

    async def _fill(self, connection: StoreConnection) -> bool:
        async with self._holding_checkpoint(connection) as checkpoint:
            if checkpoint is None:
                return False
            piece = await connection.row("projections/conversions/next_fill", size=max(self._size // 2, 1))
            if piece is None:
                return False
            await connection.run(
                "projections/conversions/take_history", **{**piece, "position": checkpoint["position"]}
            )
            await self._count_conversions(connection, piece["numbers"])
            for name in CONVERSION_SUMS:
                await connection.run(f"projections/{name}")
            await connection.run("projections/conversions/move_fill", **piece)
        return True

    async def _count_conversions(self, connection: StoreConnection, numbers: Sequence[int] | None) -> None:
        # The planner expects few rows of working tables, and of a log that is not analyzed yet.
        async with without_nested_loops(connection):
            await self._matching.match(connection, numbers)
        for name in CONVERSIONS:
            await connection.run(f"projections/{name}")

    async def _forget(self, connection: StoreConnection) -> bool:
        async with self._holding_checkpoint(connection) as checkpoint:
            if checkpoint is None:
                return False
            gone = await connection.run("projections/conversions/forget_conversions", size=FORGOTTEN)
            if not gone:
                await connection.run("projections/conversions/forget_goal_version")
        return True

    async def _count_days(self, connection: StoreConnection) -> bool:
        async with self._holding_checkpoint(connection) as checkpoint:
            return checkpoint is not None and await count_error_days(connection, self._count_rest)

    @asynccontextmanager
    async def _holding_checkpoint(self, connection: StoreConnection) -> AsyncIterator[DictRow | None]:
        async with connection.transaction():
            checkpoint = await try_lock_checkpoint(connection)
            is_live = checkpoint is not None and self._schema is None
            yield None if is_live and not await connection.layout.is_here(connection) else checkpoint

    @asynccontextmanager
    async def _working(self) -> AsyncIterator[StoreConnection]:
        try:
            with translated():
                yield await self._connected()
        except BaseException:
            await self.close()
            raise

    async def _outlook(self, connection: StoreConnection) -> Outlook:
        rests = {"rest": REST_SECONDS, "count_rest": self._count_rest}
        row = await connection.row("projections/checkpoint/outlook", **rests)
        assert row is not None  # noqa: S101 - the migration puts the row there
        return Outlook(**row)

    async def _high_water_mark(self, connection: StoreConnection) -> int:
        try:
            cursor = await connection.execute(statement("projections/checkpoint/high_water_mark"))
        except errors.LockNotAvailable:
            raise WriterStalled("a writer of the traffic log has not committed yet") from None
        row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - a function always answers with one row
        return int(row["high_water_mark"])

    async def _connected(self) -> StoreConnection:
        if self._connection is None or self._connection.closed:
            connection = await connect(self._url)
            try:
                self._connection = await self._prepared(connection)
            except BaseException:
                await connection.close()
                raise
        return self._connection

    async def _prepared(self, connection: StoreConnection) -> StoreConnection:
        # A plan for the small slices of a quiet hour would be kept for the large ones of a rebuild.
        connection.prepare_threshold = None
        await connection.run("projections/checkpoint/configure_projector")
        if self._schema is not None:
            await look_first_in(connection, self._schema)
        for table in WORKING_TABLES:
            await connection.run(f"projections/working_tables/{table}_table")
        return connection


def _report(reason: StoreUnavailable) -> None:
    if isinstance(reason, WriterStalled):
        # An import does this all the time; the lag of the projections tells when it lasts.
        _log.info("projections wait for a transaction that writes to the traffic log")
    else:
        _log.warning("the projections cannot be brought up to date yet: %s", reason)
