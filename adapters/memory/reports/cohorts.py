"""Cohorts in memory: the function of the domain over the whole log."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.cohorts.cohorts import CohortCount, CohortPlan, cohort_counts
from footfall.domain.traffic.filters import Filter


@frozen
class MemoryCohorts:
    """CohortReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def counts(
        self, site_id: int, plan: CohortPlan, filters: Sequence[Filter] = ()
    ) -> list[CohortCount]:
        """Return the visitors of each cohort, and how many of them came back."""
        return cohort_counts(plan, self._log.hits_of(site_id), filters)
