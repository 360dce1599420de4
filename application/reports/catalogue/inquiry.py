"""An inquiry: all that the answer of a report depends on besides the hits.

Two equal inquiries have the same answer of one traffic log, so that explanations
(docs/read/programs/citations.md#which-reports) ask once. Decisions, such as a goal's new rule or another filter of
a segment, make another inquiry.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from attrs import frozen

from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.tables import MAX_ROWS, Table
from footfall.domain.citations.changes import Figures
from footfall.domain.citations.definitions import OF_REPORTS, Definition, of_filters
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import METRICS

ROWS = Page(1, MAX_ROWS)
# The columns whose differences are explained.
FIGURES = frozenset(
    {
        *("sessions", "visitors", "pageviews", "events", "bounce_rate", "average_session_duration"),
        *("total_conversions", "total_sessions", "conversion_rate"),
        *("sessions_with_pageviews", "total_sessions_with_pageviews"),
        *("engaged_time", "engaged_sessions", "engaged_pageviews", "scroll_depth", "scrolled_pageviews"),
        *("entry_engaged_time", "engaged_entries"),
        *("count", "percentage", "entries", "time_on_page", "sessionCount", "error_count", "sum", "average"),
        *("compared_count", "compared_sum"),
        *("difference", "previous", "change"),
        *("conversions", "conversionRate", "comparedSessions", "comparedConversions"),
        *("otherSessions", "otherConversions", "conversionsLost"),
        *("returned", "reached", "rate", "went_on", "dropped_off", "median_seconds", "left"),
        *("samples", *(f"{metric}_{part}" for metric in METRICS for part in ("p50", "p75", "p90"))),
    }
)
_DECIMALS = 6

Found = TypeVar("Found")


@frozen
class Inquiry(ABC, Generic[Found]):
    """A report with all that it is asked; equal inquiries have equal answers.

    The `query` has the filters, and the period, or the time around both periods that are compared. The columns `keys`
    name a row; there are none of a report of one row. With `has_history` the answer depends on all hits before the
    period, too; one that `shows_engagement` depends on what pages report after they were viewed.
    """

    query: ReportQuery
    keys: ClassVar[Sequence[str]] = ()
    uses: ClassVar[frozenset[Definition]] = OF_REPORTS
    has_history: ClassVar[bool] = False
    shows_engagement: ClassVar[bool] = False

    @property
    def span(self) -> Period:
        """The time around everything that is asked about."""
        return self.query.period

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return whether few rows are read for it however large the log is, so that it needs no turn."""
        return False

    @abstractmethod
    async def ask(self, reports: ReportSet, site_id: int) -> Found:
        """Return what the reports say."""

    @abstractmethod
    def table(self, answer: Found) -> Table:
        """Return an answer as a table: as CSV has it, and as explanations compare it."""


def uses_of(inquiry: Inquiry[Any]) -> frozenset[Definition]:
    """Return the definitions that a report uses."""
    return inquiry.uses | of_filters(inquiry.query.filters)


def figures_of(table: Table, keys: Sequence[str]) -> Figures:
    """Return the numbers of a table by row; fractions have six decimals."""
    names = [name for name in table.columns if name in FIGURES]
    return {
        tuple(str(row[key]) for key in keys): {name: _shown(row[name]) for name in names}
        for row in table.records()
    }


def _shown(value: object) -> int | float | None:
    return round(value, _DECIMALS) if isinstance(value, float) else value if isinstance(value, int) else None
