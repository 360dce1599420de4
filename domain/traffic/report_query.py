"""The period of a report, and its filters."""

from collections.abc import Sequence

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter


@frozen
class ReportQuery:
    """The period of a report, and the filters that select its sessions."""

    period: Period
    filters: Sequence[Filter] = ()
