"""The port of reports on journeys; the function `journeys` of the domain defines the results."""

from typing import Protocol

from footfall.domain.journeys.journey import JourneyQuery, JourneyReport
from footfall.domain.traffic.report_query import ReportQuery


class JourneyReports(Protocol):
    """Reports on the steps that sessions of one site take after a page, an event or a goal, or before it."""

    async def journeys(self, site_id: int, query: JourneyQuery, asked: ReportQuery) -> JourneyReport:
        """Return `journeys` over all hits of the site.

        Raises:
            StoreUnavailable: the store does not answer.

        """
