"""The port of reports on funnels; the function `funnel_progress` of the domain defines the results."""

from typing import Protocol

from footfall.domain.funnel_reports.funnel_report import StepProgress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.traffic.report_query import ReportQuery


class FunnelReports(Protocol):
    """Reports on how far sessions or visitors of one site get in a funnel."""

    async def progress(self, site_id: int, steps: FunnelSteps, query: ReportQuery) -> list[StepProgress]:
        """Return `funnel_progress` over all hits of the site.

        Raises:
            StoreUnavailable: the store does not answer.

        """
