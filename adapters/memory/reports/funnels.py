"""Funnels in memory: the function of the domain over the whole log."""

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.funnel_reports.funnel_report import StepProgress, funnel_progress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryFunnels:
    """FunnelReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def progress(self, site_id: int, steps: FunnelSteps, query: ReportQuery) -> list[StepProgress]:
        """Return the progress at each step."""
        return funnel_progress(steps, self._log.hits_of(site_id), query.period, query.filters)
