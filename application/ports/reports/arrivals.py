"""The port of arrivals: the hits, and what was reported of pages, that came between two answers."""

from collections.abc import Mapping
from typing import Protocol

from footfall.domain.citations.changes import Origin
from footfall.domain.periods.period import Period


class ArrivalReports(Protocol):
    """Counts what came between two positions.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def count(self, site_id: int, span: Period, *, since: int, until: int) -> Mapping[Origin, int]:
        """Return the numbers of a site's hits inside of a span after one position and up to another, by origin.

        Origins without hits are missing.
        """

    async def count_measures(self, site_id: int, span: Period, *, since: int, until: int) -> int:
        """Return how many measures came in between of pageviews in the span that the later position has."""
