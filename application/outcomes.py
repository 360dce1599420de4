"""The outcome ledger: every received event is counted by what became of it."""

import asyncio
import logging
from collections import Counter
from datetime import datetime

from footfall.application.meters import Meters, NoMeters
from footfall.application.ports import Counted, OutcomeLedger, StoreUnavailable
from footfall.domain.quarter import quarter_of

FLUSH_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Outcomes:
    """Counts in memory what was not stored, and adds it to the ledger now and then.

    What is stored is counted by the traffic log in the transaction that stores it; a worker that is killed loses at
    most a second of refusals, never a stored event.
    """

    def __init__(self, ledger: OutcomeLedger, *, meters: Meters | None = None) -> None:
        self._ledger = ledger
        self._meters = meters or NoMeters()
        self._counts: Counter[tuple[Counted, datetime]] = Counter()

    def count(self, counted: Counted, at: datetime) -> None:
        """Count one event that was not stored."""
        self._counts[counted, quarter_of(at)] += 1
        self._meters.event(counted.outcome, counted.reason)

    async def flush(self) -> None:
        """Add what was counted to the ledger.

        Raises:
            StoreUnavailable: the store does not answer; what was counted is kept for the next time.

        """
        if not self._counts:
            return
        counts, self._counts = self._counts, Counter()
        try:
            await self._ledger.add(counts)
        except StoreUnavailable:
            self._counts.update(counts)
            raise

    async def run(self) -> None:
        """Flush every second until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except StoreUnavailable:
                _log.debug("outcomes are kept until the store is back")

    async def of_site(self, site_id: int, *, start: datetime, end: datetime) -> dict[Counted, int]:
        """Return the counts of a site for the quarters of an hour that begin in [start, end).

        Raises:
            StoreUnavailable: the store does not answer.

        """
        await self.flush()
        return await self._ledger.read_counts(site_id, start=start, end=end)
