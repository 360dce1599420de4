"""What reports on the make-up of traffic are asked for: a port whose answers are defined by the domain."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from attrs import frozen

from footfall.domain.breakdown import Share
from footfall.domain.filter import Filter
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.vitals import PageVitals

ONLINE = timedelta(minutes=5)


@frozen
class SharePage:
    """Some of the values of a breakdown, how many values there are, and the sum of all their counts."""

    shares: Sequence[Share]
    values: int
    count: int


@frozen
class Realtime:
    """What happens right now: visitors and pageviews of the last five minutes."""

    visitors: int = 0
    pageviews: int = 0


class BreakdownReports(Protocol):
    """What the traffic of one site is made of.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    async def break_down(
        self,
        site_id: int,
        by: str,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        visitors: bool = False,
    ) -> SharePage:
        """Return a page of what `domain.breakdown.break_down` says of all hits of the site.

        Unless asked for, the visitors of each value are left out: people cannot be added up, so that they cost more.
        """

    async def web_vitals(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[PageVitals]:
        """Return what `domain.vitals.measure` says of all hits of the site: all pages, and a page of the pages."""

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return who was there in the last five minutes."""

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return when the latest hit of the site happened; None when there has been none."""
