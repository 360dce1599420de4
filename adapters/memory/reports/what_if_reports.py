"""What-ifs in memory: the functions of the domain over the whole log."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.funnel_reports.funnel_change import FunnelChange, WhatIf, what_if
from footfall.domain.periods.period import Period
from footfall.domain.traffic.refusals import Exclusion, Refusals, refused_hits
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryWhatIfs:
    """WhatIfReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def compare(
        self, site_id: int, change: FunnelChange, query: ReportQuery, days: Sequence[Period]
    ) -> WhatIf:
        """Return what a change would do."""
        return what_if(change, self._log.hits_of(site_id), query.period, days, query.filters)

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused."""
        return refused_hits(exclusion, self._log.hits_of(site_id), period, days)
