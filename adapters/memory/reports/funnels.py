"""Funnels in memory: the function of the domain over the whole log."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.funnels.progress import FunnelSteps, StepProgress, funnel_progress
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter


@frozen
class MemoryFunnels:
    """FunnelReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def progress(
        self, site_id: int, steps: FunnelSteps, period: Period, filters: Sequence[Filter] = ()
    ) -> list[StepProgress]:
        """Return the progress at each step."""
        high_water_mark = await self._log.high_water_mark()
        recorded = await self._log.read(after=0, up_to=high_water_mark, limit=high_water_mark)
        hits = [one for one in recorded if one.hit.site_id == site_id]
        return funnel_progress(steps, hits, period, filters)
