"""The port of reports on revenue by source; the function `revenue` of the domain defines the results."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import Revenue, RevenuePlan
from footfall.domain.traffic.filters import Filter


class RevenueReports(Protocol):
    """Reports on the visits that the money of one site's conversions is given to."""

    async def by_source(
        self, site_id: int, plan: RevenuePlan, page: Page, filters: Sequence[Filter] = ()
    ) -> Revenue:
        """Return `revenue` over all hits of the site.

        Raises:
            GoalSetAside: the store does not count the goal.
            StoreUnavailable: the store does not answer.

        """
