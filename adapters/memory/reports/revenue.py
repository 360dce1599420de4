"""Revenue by source in memory: the function of the domain over the whole log."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import Revenue, RevenuePlan, revenue
from footfall.domain.traffic.filters import Filter


@frozen
class MemoryRevenue:
    """RevenueReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def by_source(
        self, site_id: int, plan: RevenuePlan, page: Page, filters: Sequence[Filter] = ()
    ) -> Revenue:
        """Return the money by a page of the values of the attribute."""
        return revenue(plan, self._log.hits_of(site_id), page, filters)
