"""Freshness of reports: their lag, and catching up before a report is read."""

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta

from attrs import field, frozen

from footfall.adapters.postgres.database.connections import Connections
from footfall.application.ports.reports.reports import Lag
from footfall.application.ports.system import Clock

# Hits that arrive faster than they are projected do not keep a report waiting for longer.
PATIENCE_SECONDS = 1.0
LOOK_SECONDS = 0.005


@frozen(kw_only=True)
class ProjectionProgress:
    """How far both logs have been projected, and reach; whether goals of a site have not begun to be counted."""

    position: int
    newest: int
    journal_position: int
    journal_newest: int
    new_goals: bool

    def contains(self, asked: "ProjectionProgress") -> bool:
        """Whether all that was stored then has been projected."""
        passed = self.position >= asked.newest and self.journal_position >= asked.journal_newest
        return passed and not self.new_goals


@frozen
class PostgresFreshness:
    """Freshness over the checkpoint; `wake` makes the projector of this process look at the log."""

    _connections: Connections
    _clock: Clock
    _wake: Callable[[], None]
    patience_seconds: float = field(default=PATIENCE_SECONDS, kw_only=True)

    async def catch_up(self, site_id: int) -> int:
        """Return when everything that was stored before this call is in the reports, or after a second.

        That is every hit, and the goals of the site, as far as the first piece of their past. The answer is how many
        events are still missing. A position that a rolled back transaction left empty counts as an event until the
        projector has passed it.
        """
        reached = asked = await self.progress(site_id)
        deadline = time.monotonic() + self.patience_seconds
        while not reached.contains(asked) and time.monotonic() < deadline:
            self._wake()
            await asyncio.sleep(LOOK_SECONDS)
            reached = await self.progress(site_id)
        return max(asked.newest - reached.position, 0)

    async def lag(self, _site_id: int | None = None) -> Lag:
        """Return how far the reports of the store are behind."""
        row = await self._connections.row("projections/status/lag")
        assert row is not None  # noqa: S101 - the migration puts the checkpoint there
        waiting = self._clock.now() - row["oldest"] if row["oldest"] else timedelta()
        return Lag(row["events"], max(waiting.total_seconds(), 0.0))

    async def progress(self, site_id: int) -> ProjectionProgress:
        """Return how far the reports are, and the logs reach."""
        row = await self._connections.row("projections/status/progress", site_id=site_id)
        assert row is not None  # noqa: S101 - the migration puts the checkpoint there
        return ProjectionProgress(**row)
