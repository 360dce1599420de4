"""Whether reports are up to date, and making them so."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.statements import statement
from footfall.application.ports import Clock
from footfall.application.reports import Lag

# What arrives faster than it can be projected must not keep a report waiting for ever.
PATIENCE_SECONDS = 1.0
LOOK_SECONDS = 0.005


class PostgresFreshness:
    """Freshness over the checkpoint; `wake` makes the projector of this process look at the log."""

    def __init__(self, connections: Connections, clock: Clock, wake: Callable[[], None]) -> None:
        self._connections = connections
        self._clock = clock
        self._wake = wake

    async def catch_up(self) -> None:
        """Return when everything that was stored before this call is in the reports, or after a second."""
        position, newest = await self._progress()
        target, waited = newest, 0.0
        while position < target and waited < PATIENCE_SECONDS:
            self._wake()
            await asyncio.sleep(LOOK_SECONDS)
            waited += LOOK_SECONDS
            position, _ = await self._progress()

    async def lag(self) -> Lag:
        """Return how far the reports are behind."""
        async with self._connections.connection() as connection:
            row = await (await connection.execute(statement("report/lag"))).fetchone()
        assert row is not None  # noqa: S101 - the migration puts the checkpoint there
        waiting = self._clock.now() - row["oldest"] if row["oldest"] else timedelta()
        return Lag(row["events"], max(waiting.total_seconds(), 0.0))

    async def _progress(self) -> tuple[int, int]:
        async with self._connections.connection() as connection:
            row = await (await connection.execute(statement("report/progress"))).fetchone()
        assert row is not None  # noqa: S101 - the migration puts the checkpoint there
        return row["position"], row["newest"]
