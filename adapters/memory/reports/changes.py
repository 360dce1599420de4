"""First hits of figures in memory, where nothing is imported."""

from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.domain.citations.changes import FirstHits, first_hits
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.session import visits


@frozen
class MemoryChanges:
    """ChangeReports over a traffic log in memory."""

    _log: MemoryTrafficLog

    async def first_hits(
        self, site_id: int, period: Period, rules: Sequence[GoalQuery], cuts: Sequence[int]
    ) -> list[FirstHits]:
        """Return the first hits of the figures, and of the conversions by the rules."""
        of_site = [one for one in self._log.hits if one.hit.site_id == site_id]
        return first_hits(visits(of_site), period, [one.rule for one in rules], cuts)
