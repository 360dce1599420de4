"""The outcome ledger: every received event is counted by its outcome."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import uuid4

from attrs import define, field

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.metrics import Metrics, NoMetrics
from footfall.application.ports.traffic_log import OutcomeKey, OutcomeLedger
from footfall.domain.bots.refused_bot_counts import MOST_PAGES_A_DAY, RefusedBot
from footfall.domain.periods.quarter_hour import quarter_of

FLUSH_SECONDS = 1.0
# A month can be compared with that of the year before; 20,000 busy sites have half a million counts a day.
KEPT = timedelta(days=400)

_log = logging.getLogger(__name__)


def kept_since(now: datetime) -> datetime:
    """Return the first quarter of an hour whose counts are kept; older ones are erased."""
    return quarter_of(now - KEPT)


class CellLedgers(Protocol):
    """The ledgers of cells; sites that are in none have that of the store of the journal."""

    def cell_of(self, site_id: int) -> str | None:
        """Return the cell of a site; None for the store of the journal."""

    def ledger_of(self, cell: str) -> OutcomeLedger:
        """Return the ledger of a cell at the place where it is now.

        Raises:
            StoreUnavailable: the cell is not served here.

        """


@define(eq=False)
class _Bots:
    """Counts of refused bots. Of each site a limited number is kept apart, however long the store is away."""

    counts: Counter[RefusedBot] = field(factory=Counter, init=False)
    _apart: Counter[int] = field(factory=Counter, init=False)

    def add(self, refused: RefusedBot) -> None:
        if refused not in self.counts:
            if self._apart[refused.site_id] >= MOST_PAGES_A_DAY:
                refused = refused.among_others
            else:
                self._apart[refused.site_id] += 1
        self.counts[refused] += 1


@define(eq=False)
class _Page:
    """Counts that wait to be added to one ledger. `find` returns it: it is another one after each move of its cell."""

    find: Callable[[], OutcomeLedger]
    counts: Counter[tuple[OutcomeKey, datetime]] = field(factory=Counter, init=False)
    bots: _Bots = field(factory=_Bots, init=False)
    # The counts of a call to the ledger that has not succeeded yet; they may have been added.
    unsettled: Counter[tuple[OutcomeKey, datetime]] = field(factory=Counter, init=False)
    unsettled_bots: Counter[RefusedBot] = field(factory=Counter, init=False)
    flushing: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _source: str = field(factory=lambda: uuid4().hex, init=False)
    _number: int = field(default=1, init=False)

    async def flush(self) -> None:
        async with self.flushing:
            await self._settle()
            self.unsettled, self.counts = self.counts, Counter()
            self.unsettled_bots, self.bots = self.bots.counts, _Bots()
            await self._settle()

    async def _settle(self) -> None:
        if self.unsettled:
            await self.find().add(
                self.unsettled, self.unsettled_bots, source=self._source, number=self._number
            )
            self.unsettled, self.unsettled_bots = Counter(), Counter()
            self._number += 1


@define(eq=False)
class OutcomeCounter:
    """Counts in memory the events that were not stored, and adds them to the ledger every second.

    The traffic log counts stored events in the transaction that stores them. A worker that is killed loses at most a
    second of refusals, never a stored event.
    """

    _ledger: OutcomeLedger
    _metrics: Metrics = field(factory=NoMetrics, kw_only=True)
    _cells: CellLedgers | None = field(default=None, kw_only=True)
    _pages: dict[str | None, _Page] = field(init=False)

    @_pages.default
    def _first_page(self) -> dict[str | None, _Page]:
        return {None: _Page(lambda: self._ledger)}

    def count(self, counted: OutcomeKey, at: datetime) -> None:
        """Count one event that was not stored."""
        self.note(counted, at)
        self._metrics.event(counted.outcome, counted.reason)

    def count_bot(self, refused: RefusedBot) -> None:
        """Count a refused bot by its page, beside the outcome of its event."""
        self._page(refused.site_id).bots.add(refused)

    def note(self, counted: OutcomeKey, at: datetime) -> None:
        """Count what was ignored of an event that is stored: metrics count each event once."""
        self._page(counted.site_id).counts[counted, quarter_of(at)] += 1

    def count_unless(self, committed: asyncio.Future[bool], counted: OutcomeKey, at: datetime) -> None:
        """Count one event as not stored, if and as soon as its transaction is known not to be committed.

        A committed event is counted by the traffic log.
        """

        def settle(committed: asyncio.Future[bool]) -> None:
            if not committed.cancelled() and not committed.result():
                self.count(counted, at)

        committed.add_done_callback(settle)

    async def flush(self) -> None:
        """Add the counts to the ledger, in each cell that answers.

        Raises:
            StoreUnavailable: a store does not answer; its counts are kept for the next time.

        """
        flushed = await asyncio.gather(
            *(page.flush() for page in self._pages.values()), return_exceptions=True
        )
        for failure in flushed:
            if isinstance(failure, BaseException):
                raise failure

    async def run(self) -> None:
        """Flush every second until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except StoreUnavailable:
                _log.debug("outcomes are kept until the store is back")

    async def of_site(self, site_id: int, *, start: datetime, end: datetime) -> dict[OutcomeKey, int]:
        """Return the counts of a site for the quarters of an hour that begin in [start, end).

        Raises:
            StoreUnavailable: the store does not answer.

        """
        page = self._page(site_id)
        await page.flush()
        return await page.find().read_counts(site_id, start=start, end=end)

    async def by_quarter(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return the counts of a site for each quarter of an hour that begins in [start, end).

        Raises:
            StoreUnavailable: the store does not answer.

        """
        await self._page(site_id).flush()
        return await self.flushed_by_quarter(site_id, start=start, end=end)

    async def flushed_by_quarter(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return what `by_quarter` does, but for the counts of the last second: this writes nothing.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        return await self._page(site_id).find().read_quarters(site_id, start=start, end=end)

    def _page(self, site_id: int) -> _Page:
        cells = self._cells
        cell = None if cells is None else cells.cell_of(site_id)
        if cells is not None and cell is not None and cell not in self._pages:
            self._pages[cell] = _Page(partial(cells.ledger_of, cell))
        return self._pages[cell]
