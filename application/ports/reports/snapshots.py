"""The port of snapshots: all reports of one answer see the same state of both logs."""

from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.application.ports.errors.error_groups import ErrorCostReports, ErrorGroupReports
from footfall.application.ports.errors.error_reports import ErrorNameReports, ErrorReports
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.bots import BotReports
from footfall.application.ports.reports.breakdowns import BreakdownReports, LiveReports
from footfall.application.ports.reports.properties import PropertyReports
from footfall.application.ports.reports.reports import (
    ArrivalReports,
    CohortReports,
    FunnelReports,
    GoalReports,
    JourneyReports,
    RevenueReports,
    TrafficReports,
)
from footfall.application.ports.reports.sessions import SessionReports
from footfall.application.ports.reports.what_if_reports import WhatIfReports
from footfall.domain.citations.changes import Arrivals, Origin
from footfall.domain.citations.definitions import PRESENT
from footfall.domain.citations.positions import Positions
from footfall.domain.periods.period import Period


@frozen(kw_only=True)
class ReportSet:
    """The reports over one state of the logs."""

    goals: GoalReports
    traffic: TrafficReports
    sessions: SessionReports
    breakdowns: BreakdownReports
    bots: BotReports
    cohorts: CohortReports
    revenue: RevenueReports
    live: LiveReports
    errors: ErrorReports
    error_names: ErrorNameReports
    funnels: FunnelReports
    journeys: JourneyReports
    properties: PropertyReports
    error_groups: ErrorGroupReports
    error_costs: ErrorCostReports
    what_ifs: WhatIfReports
    arrivals: ArrivalReports


@frozen(kw_only=True)
class ReportSnapshot:
    """Reports, and the positions of both logs that they are made from.

    `sessions` is the number of the definition of sessions that they use: while a store of an earlier version is brought
    to that of today, it is the earlier one.
    """

    reports: ReportSet
    journal: int
    traffic: int
    sessions: int = PRESENT.sessions


@frozen(kw_only=True)
class PastQuestion:
    """Earlier positions, and the span of time inside of which reports are asked about them.

    With `history` the answer depends on all hits before the span, too, as that about new errors does. `arrivals` are
    later hits that count nevertheless.
    """

    positions: Positions
    span: Period
    history: bool = False
    arrivals: Arrivals | None = None

    @property
    def measured_up_to(self) -> int:
        """The position up to which what was reported of pages counts."""
        if self.arrivals is not None and Origin.ENGAGEMENT in self.arrivals.origins:
            return self.arrivals.until
        return self.positions.traffic


class ReportSnapshots(Protocol):
    """The states of the logs that reports can be asked about.

    Every method raises StoreUnavailable when the store does not answer. A state is lent when it is the asker's turn;
    without an asker at once, which only reports need that read a few rows at any size of the log. When too many others
    wait, ReportsBusy is raised.
    """

    def present(
        self, site_id: int, span: Period, asker: Asker | None = None
    ) -> AbstractAsyncContextManager[ReportSnapshot]:
        """Lend the present state, for reports of one site on periods inside of a span."""

    def past(
        self, question: PastQuestion, asker: Asker | None = None
    ) -> AbstractAsyncContextManager[ReportSet]:
        """Lend the reports as they were at earlier positions.

        Raises:
            Invalid: the positions are of the future or before the first hit, or too many hits would be counted; the
                errors name `as_of`.
            ErasedSince: hits that the answer was made from have been erased since.

        """

    async def positions_at(self, site_id: int, at: datetime) -> tuple[int, int]:
        """Return the positions of journal and traffic log of a site at the end of the last minute before an instant.

        Raises:
            Invalid: they are not known; the error names `as_of`.

        """
