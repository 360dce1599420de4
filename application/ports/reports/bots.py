"""The port of the traffic of bots; the functions of the domain define the results."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from footfall.domain.bot_traffic.bot_traffic import BotRequests
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery


class RefusedBots(Protocol):
    """The counts of refused requests of bots.

    The method raises StoreUnavailable when the store does not answer.
    """

    async def refused(
        self, site_id: int, first: date, last: date, filters: Sequence[Filter] = ()
    ) -> BotRequests:
        """Return `refused_requests` over what was refused until now on some days of the time zone of the site.

        Raises:
            Invalid: filters take too long, or the days have too many different bots for them.

        """


class BotReports(RefusedBots, Protocol):
    """What bots asked one site for, and the visits that answers of AI services sent.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def stored(self, site_id: int, query: ReportQuery) -> BotRequests:
        """Return `stored_requests` over all hits of the site."""

    async def answer_sources(self, site_id: int, query: ReportQuery) -> Sequence[tuple[str, str, int]]:
        """Return `answer_sources` over all hits of the site."""
