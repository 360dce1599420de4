"""Snapshots of the cells, each with the journal at least as far as this process has read it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import frozen

from footfall.application.cells.journal_copies import JournalFollower
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import (
    PastQuestion,
    ReportSet,
    ReportSnapshot,
    ReportSnapshots,
)
from footfall.domain.periods.period import Period


@frozen
class RoutedSnapshots:
    """ReportSnapshots over those of the stores of all sites; the store of the journal has nothing to follow."""

    _of: Callable[[int], tuple[ReportSnapshots, JournalFollower | None]]

    @asynccontextmanager
    async def present(
        self, site_id: int, span: Period, asker: Asker | None = None
    ) -> AsyncIterator[ReportSnapshot]:
        """Lend the present state, for reports of one site on periods inside of a span."""
        snapshots = await self._snapshots(site_id)
        async with snapshots.present(site_id, span, asker) as snapshot:
            yield snapshot

    @asynccontextmanager
    async def past(self, question: PastQuestion, asker: Asker | None = None) -> AsyncIterator[ReportSet]:
        """Lend the reports as they were at earlier positions."""
        snapshots = await self._snapshots(question.positions.site_id)
        async with snapshots.past(question, asker) as reports:
            yield reports

    async def positions_at(self, site_id: int, at: datetime) -> tuple[int, int]:
        """Return the positions of the journal and of the traffic log of a site at an instant."""
        snapshots = await self._snapshots(site_id)
        return await snapshots.positions_at(site_id, at)

    async def _snapshots(self, site_id: int) -> ReportSnapshots:
        snapshots, follower = self._of(site_id)
        if follower is not None:
            await follower.follow()
        return snapshots
