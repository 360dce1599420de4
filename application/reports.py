"""What reports are asked for: ports whose answers are defined by the functions of the domain."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.domain.bucket import BucketSize
from footfall.domain.conversion import Conversions
from footfall.domain.filter import Filter
from footfall.domain.goal import Rule
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.session import Session
from footfall.domain.traffic import Traffic, TrafficPoint


@frozen
class AskedGoal:
    """A rule to count by, and the position in the journal from which on a goal has it; None for no goal at all."""

    rule: Rule
    version: int | None = None


@frozen
class SessionPage:
    """Some of the sessions that satisfied a rule, and how many there are in all."""

    sessions: Sequence[Session]
    total: int


@frozen
class Lag:
    """How far what reports are read from is behind the traffic log."""

    events: int
    seconds: float


class Freshness(Protocol):
    """Brings what reports are read from up to date.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def catch_up(self) -> None:
        """Return when everything that was stored before this call is in the reports, or after a second."""

    async def lag(self) -> Lag:
        """Return how far the reports are behind."""


class GoalReports(Protocol):
    """Sessions that satisfied rules (decisions, section 3), of one site.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def count_conversions(
        self, site_id: int, goals: Sequence[AskedGoal], period: Period, filters: Sequence[Filter] = ()
    ) -> list[Conversions]:
        """Return what `domain.conversion.count_conversions` says of all hits of the site."""

    async def converted_sessions(
        self, site_id: int, goal: AskedGoal, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> SessionPage:
        """Return a page of what `domain.conversion.converted_sessions` says of all hits of the site."""


class TrafficReports(Protocol):
    """How much happened on one site.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def data_since(self, site_id: int) -> datetime | None:
        """Return the beginning of the quarter of an hour from which on there are hits; None when there are none."""

    async def overview(self, site_id: int, period: Period, filters: Sequence[Filter] = ()) -> Traffic:
        """Return what `domain.traffic.overview` says of all hits of the site."""

    async def timeseries(
        self,
        site_id: int,
        period: Period,
        size: BucketSize,
        zone: ZoneInfo,
        filters: Sequence[Filter] = (),
    ) -> list[TrafficPoint]:
        """Return what `domain.traffic.timeseries` says of all hits of the site.

        Raises:
            Invalid: there would be more than 2,000 buckets.

        """
