"""The port of what-ifs; the functions of the domain define the results."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.funnel_reports.funnel_change import FunnelChange, WhatIf
from footfall.domain.periods.period import Period
from footfall.domain.traffic.exclusion_what_if import Exclusion, Refusals
from footfall.domain.traffic.report_query import ReportQuery


class RefusedHitsReports(Protocol):
    """Reads hits as they were received, for the preview of a change.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return `refused_hits` over the hits of the site that were received, not imported."""


class WhatIfReports(RefusedHitsReports, Protocol):
    """Previews a change of a goal, a funnel or the exclusions of one site.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def compare(
        self, site_id: int, change: FunnelChange, query: ReportQuery, days: Sequence[Period]
    ) -> WhatIf:
        """Return `what_if` over all hits of the site; the days follow each other and make up the period."""
