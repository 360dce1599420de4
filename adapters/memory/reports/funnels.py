"""Funnels in memory: the function of the domain over the whole log."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.funnel_reports.funnel_report import StepProgress, funnel_progress
from footfall.domain.funnels.steps import FunnelSteps
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
        return funnel_progress(steps, self._log.hits_of(site_id), period, filters)
