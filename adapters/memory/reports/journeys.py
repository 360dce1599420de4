"""Journeys in memory: the function of the domain over the whole log."""

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport, journeys
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class MemoryJourneys:
    """JourneyReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def journeys(self, site_id: int, query: JourneyQuery, asked: ReportQuery) -> JourneyReport:
        """Return the journeys of a period."""
        return journeys(query, self._log.hits_of(site_id), asked.period, asked.filters)
