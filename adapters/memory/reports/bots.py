"""The traffic of bots in memory: the functions of the domain over the whole log."""

from collections.abc import Sequence
from datetime import date

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.bot_traffic.bot_traffic import (
    LIMITS,
    BotLimits,
    BotRequests,
    EqualRequests,
    answer_sources,
    refused_requests,
    stored_requests,
)
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryBots:
    """BotReports over a traffic log in memory."""

    _log: MemoryTrafficLog
    _limits: BotLimits = LIMITS

    async def refused(
        self, site_id: int, first: date, last: date, filters: Sequence[Filter] = ()
    ) -> BotRequests:
        """Return what was refused on some days."""
        requests = (
            EqualRequests(refused.bot, refused.verified, (refused.page, ""), number)
            for refused, number in self._log.refused_bots.items()
            if refused.site_id == site_id and first <= refused.day <= last
        )
        return refused_requests(requests, filters, self._limits)

    async def stored(self, site_id: int, query: ReportQuery) -> BotRequests:
        """Return the stored hits of bots."""
        return stored_requests(self._log.hits_of(site_id), query.period, query.filters, self._limits)

    async def answer_sources(self, site_id: int, query: ReportQuery) -> Sequence[tuple[str, str, int]]:
        """Return the sessions that answers sent."""
        return answer_sources(self._log.hits_of(site_id), query.period, query.filters, self._limits)
