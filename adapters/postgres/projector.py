"""The projector: folds the traffic log into what reports are read from, slice by slice, each slice exactly once."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from attrs import frozen
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import connect
from footfall.adapters.postgres.failures import translated
from footfall.adapters.postgres.goal_versions import GoalVersions
from footfall.adapters.postgres.read_models import FOLDS, SHAPE
from footfall.adapters.postgres.statements import statement
from footfall.application.ports import StoreUnavailable

# Takes about a quarter of a second: nobody waits longer for the lock, and the cost of the statements is spread.
SLICE = 20_000
FORGOTTEN = 20_000
# Between two looks at the log.
PAUSE_SECONDS = 0.2
# Between two slices, whoever projects them: hits gather meanwhile, and writers are not asked to stand still too often.
REST_SECONDS = 0.35
RETRY_SECONDS = 1.0

_log = logging.getLogger(__name__)

_WORKING_TABLES = ("slice", "touched", "matched", "converted", "caught", "erring")
_SESSIONS = ("touch_sessions", "write_sessions", "write_traffic_buckets", "follow_session_ends")
_CONVERSIONS = ("merge_matched", "write_conversions", "write_conversion_buckets", "write_conversion_days")
_NO_NESTED_LOOPS = "set local enable_nestloop = off"
_NESTED_LOOPS = "set local enable_nestloop = on"
# What is derived need not be on the disk when a transaction ends: after a crash it is derived again.
_SETTINGS = "select set_config('synchronous_commit', 'off', false), set_config('work_mem', '64MB', false)"
_SEARCH_SCHEMA = "select set_config('search_path', %s || ', ' || current_setting('search_path'), false)"


@frozen(kw_only=True)
class Outlook:
    """What there is to do."""

    position: int
    journal_position: int
    newest: int
    journal_newest: int
    filling: bool
    forgetting: bool
    rested: bool

    @property
    def behind(self) -> bool:
        """Whether a log may hold what has not been projected."""
        return self.newest > self.position or self.journal_newest > self.journal_position


class Projector:
    """Any number may run at the same time: the row of the checkpoint is the lock, and it moves with what it stands for.

    With a `schema`, the tables of that schema are written, while the logs are read where they are.
    """

    def __init__(
        self, url: str, goals: GoalVersions, *, schema: str | None = None, size: int = SLICE
    ) -> None:
        self._url = url
        self._goals = goals
        self._schema = schema
        self._size = size
        self._connection: AsyncConnection[DictRow] | None = None
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Keep the read models current until cancelled; an unreachable store is tried again."""
        again = False
        try:
            while True:
                try:
                    again = (again or await self._is_due()) and await self.catch_up()
                except StoreUnavailable:
                    _log.warning("the projections cannot be brought up to date yet", exc_info=True)
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
                if not again:
                    await self._pause()
        finally:
            await self.close()

    def wake(self) -> None:
        """Make `run` look at the log now."""
        self._woken.set()

    async def catch_up(self, *, up_to: int | None = None) -> bool:
        """Project the next slice of both logs, or a piece of a new goal's past; return whether there is more to do.

        Somebody else who is at it is left alone; then, too, there is nothing more to do. The log is read no further
        than the position `up_to`, if one is given.

        Raises:
            StoreUnavailable: the store does not answer; what was begun has not happened.

        """
        try:
            with translated():
                return await self._catch_up(await self._connected(), up_to)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection; the next call opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _is_due(self) -> bool:
        """Whether somebody waits for the next slice, or nobody has projected one for a while."""
        if self._woken.is_set():
            self._woken.clear()
            return True
        with translated():
            return (await self._outlook(await self._connected())).rested

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PAUSE_SECONDS):
                await self._woken.wait()

    async def _catch_up(self, connection: AsyncConnection[DictRow], up_to: int | None) -> bool:
        outlook = await self._outlook(connection)
        more = False
        if outlook.behind:
            more = await self._project(connection, up_to)
        if outlook.filling:
            more = await self._fill(connection) or more
        if outlook.forgetting:
            more = await self._forget(connection) or more
        return more

    async def _project(self, connection: AsyncConnection[DictRow], up_to: int | None) -> bool:
        # Writers stand still while the horizon is asked: not for the sake of somebody who will not get the turn.
        async with self._turn(connection) as free:
            if free is None:
                return False
        # In a transaction of its own: whoever asks for the horizon keeps writers waiting until the transaction ends.
        horizon = await self._horizon(connection)
        if up_to is not None:
            horizon = min(horizon, up_to)
        async with self._turn(connection) as checkpoint:
            if checkpoint is None:
                return False
            position, journal_position = checkpoint["position"], checkpoint["journal_position"]
            journal_newest = (await self._outlook(connection)).journal_newest
            await self._goals.learn(
                connection, after=journal_position, up_to=journal_newest, position=position
            )
            reached: int = min(position + self._size, max(horizon, position))
            if reached > position:
                async with self._without_nested_loops(connection):
                    await self._run(connection, "take_slice", {"after": position, "up_to": reached})
                await self._fold(connection)
            moved = {"position": reached, "journal_position": journal_newest}
            await self._run(connection, "move_checkpoint", moved)
        # What was learned may have given goals a past that is to be counted.
        return reached < horizon or journal_newest > journal_position

    async def _fold(self, connection: AsyncConnection[DictRow]) -> None:
        for name in _SESSIONS:
            await self._run(connection, name)
        await self._count_conversions(connection, None)
        for name in FOLDS:
            await self._run(connection, name)

    async def _fill(self, connection: AsyncConnection[DictRow]) -> bool:
        async with self._turn(connection) as checkpoint:
            if checkpoint is None:
                return False
            cursor = await connection.execute(
                statement("projection/next_fill"), {"size": max(self._size // 2, 1)}
            )
            piece = await cursor.fetchone()
            if piece is None:
                return False
            await self._run(connection, "take_history", {**piece, "position": checkpoint["position"]})
            await self._count_conversions(connection, piece["numbers"])
            await self._run(connection, "move_fill", piece)
        return True

    async def _count_conversions(
        self, connection: AsyncConnection[DictRow], numbers: Sequence[int] | None
    ) -> None:
        async with self._without_nested_loops(connection):
            await self._run(connection, "match_slice", {"numbers": numbers})
        for name in _CONVERSIONS:
            await self._run(connection, name)

    async def _forget(self, connection: AsyncConnection[DictRow]) -> bool:
        async with self._turn(connection) as checkpoint:
            if checkpoint is None:
                return False
            gone = await self._run(connection, "forget_conversions", {"size": FORGOTTEN})
            if not gone:
                await self._run(connection, "forget_goal_version")
        return True

    @asynccontextmanager
    async def _without_nested_loops(self, connection: AsyncConnection[DictRow]) -> AsyncIterator[None]:
        """For what the planner takes for nearly empty: working tables, and a log whose statistics are yet to come.

        It would compare each hit with each visitor, and each hit with each path.
        """
        await connection.execute(_NO_NESTED_LOOPS)
        yield
        await connection.execute(_NESTED_LOOPS)

    @asynccontextmanager
    async def _turn(self, connection: AsyncConnection[DictRow]) -> AsyncIterator[DictRow | None]:
        async with connection.transaction():
            cursor = await connection.execute(statement("projection/lock_checkpoint"), {"shape": SHAPE})
            yield await cursor.fetchone()

    async def _run(
        self, connection: AsyncConnection[DictRow], name: str, values: Mapping[str, Any] | None = None
    ) -> int:
        return (await connection.execute(statement(f"projection/{name}"), values)).rowcount

    async def _outlook(self, connection: AsyncConnection[DictRow]) -> Outlook:
        cursor = await connection.execute(statement("projection/outlook"), {"rest": REST_SECONDS})
        row = await cursor.fetchone()
        assert row is not None  # noqa: S101 - the migration puts the row there
        return Outlook(**row)

    async def _horizon(self, connection: AsyncConnection[DictRow]) -> int:
        row = await (await connection.execute("select hit_horizon() as horizon")).fetchone()
        assert row is not None  # noqa: S101 - a function always answers with one row
        return int(row["horizon"])

    async def _connected(self) -> AsyncConnection[DictRow]:
        if self._connection is None or self._connection.closed:
            self._connection = await self._prepared(await connect(self._url))
        return self._connection

    async def _prepared(self, connection: AsyncConnection[DictRow]) -> AsyncConnection[DictRow]:
        # A plan for the small slices of a quiet hour would be kept for the large ones of a rebuild.
        connection.prepare_threshold = None
        await connection.execute(_SETTINGS)
        if self._schema is not None:
            await connection.execute(
                "select set_config('search_path', %s, false)", (f"{self._schema}, public",)
            )
        for table in _WORKING_TABLES:
            await connection.execute(statement(f"projection/{table}_table"))
        return connection
