"""The port of changes: when in the traffic log each figure began to count what it counts."""

from collections.abc import Sequence
from typing import Protocol

from footfall.domain.citations.changes import FirstHits
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period


class ChangeReports(Protocol):
    """Counts first hits.

    The method raises StoreUnavailable when the store does not answer.
    """

    async def first_hits(
        self, site_id: int, period: Period, rules: Sequence[GoalQuery], cuts: Sequence[int]
    ) -> Sequence[FirstHits]:
        """Return `first_hits` of the traffic log of a site.

        Those of visitors without hits after the first cut may be missing: they are in no difference, but in that of
        rules, for which all are there.

        Raises:
            Invalid: the pattern of a rule takes too long.

        """
