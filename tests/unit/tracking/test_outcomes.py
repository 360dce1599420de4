"""The counts of events that were not stored reach the ledger of their cell, once, wherever it is."""

from datetime import timedelta

import pytest

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ports.cells import CellAway
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.examples import NOON

SITE = 7
BOT = OutcomeKey(SITE, "dropped", "bot")
PERIOD = {"start": NOON, "end": NOON + timedelta(hours=1)}


class Cells:
    """One cell with one site, which can move or be away."""

    def __init__(self):
        self.ledger = MemoryTrafficLog()

    def cell_of(self, site_id):
        return "west" if site_id == SITE else None

    def ledger_of(self, _cell):
        if self.ledger is None:
            raise CellAway
        return self.ledger


class Deaf:
    """A ledger whose answer is lost once."""

    def __init__(self, ledger):
        self._ledger = ledger

    async def add(self, counts, bots, **call):
        await self._ledger.add(counts, bots, **call)
        raise StoreUnavailable


@pytest.fixture
def cells():
    return Cells()


@pytest.fixture
def outcomes(cells):
    return OutcomeCounter(MemoryTrafficLog(), cells=cells)


async def test_counts_follow_a_cell_that_has_moved(cells, outcomes):
    outcomes.count(BOT, NOON)
    await outcomes.flush()
    outcomes.count(BOT, NOON)
    cells.ledger = MemoryTrafficLog()

    assert await outcomes.of_site(SITE, **PERIOD) == {BOT: 1}


async def test_counts_by_quarter_are_read_with_those_that_wait_or_without(cells, outcomes):
    outcomes.count(BOT, NOON)

    flushed = await outcomes.flushed_by_quarter(SITE, **PERIOD)

    assert (flushed, await cells.ledger.read_counts(SITE, **PERIOD)) == ({}, {})
    assert await outcomes.by_quarter(SITE, **PERIOD) == {(BOT, NOON): 1}
    assert await outcomes.flushed_by_quarter(SITE, **PERIOD) == {(BOT, NOON): 1}


async def test_counts_of_a_cell_that_is_away_wait_for_it(cells, outcomes):
    here, cells.ledger = cells.ledger, None
    outcomes.count(BOT, NOON)
    with pytest.raises(StoreUnavailable):
        await outcomes.flush()
    cells.ledger = here

    assert await outcomes.of_site(SITE, **PERIOD) == {BOT: 1}


async def test_counts_whose_commit_was_not_heard_before_a_move_are_added_once(cells, outcomes):
    moving = cells.ledger
    cells.ledger = Deaf(moving)
    outcomes.count(BOT, NOON)
    with pytest.raises(StoreUnavailable):
        await outcomes.flush()
    cells.ledger = moving
    outcomes.count(BOT, NOON)

    assert await outcomes.of_site(SITE, **PERIOD) == {BOT: 2}
