"""Sites without hits since their rules were judged: their reports need not be asked.

See docs/alerts/alerts.md#evaluation.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.ports.alerts.watches import Watch
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import AllSitesReports
from footfall.domain.periods.period import Period

# A store that is away does not keep waiting the rules on sites of others.
PATIENCE_SECONDS = 3.0


@frozen(kw_only=True)
class SiteActivity:
    """Asks each store once, all of them at the same time."""

    directory: Directory
    reports_of: Callable[[str | None], AllSitesReports]

    async def quiet(self, watches: Sequence[Watch], horizons: Mapping[int, datetime]) -> frozenset[int]:
        """Return sites without hits between what is judged of them and their horizons; none of a store that is away."""
        cells: dict[str | None, dict[int, Period]] = {}
        for watch in watches:
            periods = cells.setdefault(self.directory.cell_of(watch.site_id), {})
            period = periods.get(watch.site_id)
            start = watch.until if period is None else min(watch.until, period.start)
            periods[watch.site_id] = Period(start, horizons[watch.site_id])
        quiet = await asyncio.gather(*(self._quiet(cell, periods) for cell, periods in cells.items()))
        return frozenset[int]().union(*quiet)

    async def _quiet(self, cell: str | None, periods: Mapping[int, Period]) -> frozenset[int]:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                visited = await self.reports_of(cell).with_hits(periods)
        except (StoreUnavailable, TimeoutError):
            return frozenset()
        return frozenset(periods) - visited
