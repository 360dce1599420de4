"""The port of series that alerts need beside those of the reports; the functions of the domain define the results."""

from typing import Protocol
from zoneinfo import ZoneInfo

from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.traffic.report_query import ReportQuery


class WindowReports(Protocol):
    """Values of one site by the buckets of a period, ascending.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long, or there would be more than 2,000 buckets.
    """

    async def first_conversions(
        self, site_id: int, goal: GoalQuery, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[int]:
        """Return `first_conversions` over all hits of the site.

        Raises:
            GoalSetAside: the store does not count the goal.
            StoreUnavailable: the past of the goal is still being counted.

        """

    async def paints(
        self, site_id: int, query: ReportQuery, size: BucketSize, zone: ZoneInfo
    ) -> list[float | None]:
        """Return `largest_paints` over all hits of the site."""
