"""The port of reports on cohorts; the function `cohort_counts` of the domain defines the results."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.cohorts.cohorts import CohortCount, CohortPlan
from footfall.domain.traffic.filters import Filter


class CohortReports(Protocol):
    """Reports on how many visitors of one site come back."""

    async def counts(
        self, site_id: int, plan: CohortPlan, filters: Sequence[Filter] = ()
    ) -> list[CohortCount]:
        """Return `cohort_counts` over all hits of the site.

        Raises:
            Invalid: there would be more than 300 cohorts.
            GoalSetAside: the store does not count the goal.
            StoreUnavailable: the store does not answer.

        """
