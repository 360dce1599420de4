"""Requests that follow a cell to another node."""

import pytest
from attrs import evolve

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.cells.home_follower import FollowingIntake
from footfall.application.ports.journal import StoreMoved, StoreUnavailable
from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit
from tests.histories import START, hit

SUBMISSION = Submission((PendingHit(evolve(hit(START), site_id=1)),))


class Left:
    """A node from which the cell has moved."""

    async def submit(self, _submission):
        raise StoreMoved


class Away:
    """A node that does not answer."""

    async def submit(self, _submission):
        raise StoreUnavailable


class Cell:
    """A cell that is found at the next of these nodes with each look."""

    def __init__(self, *nodes):
        self.nodes, self.looks = list(nodes), 0

    def current(self):
        return self.nodes[0]

    async def look(self):
        self.looks += 1
        if len(self.nodes) > 1:
            del self.nodes[0]

    async def submit(self, **options):
        return await FollowingIntake(self.current, self.look, **options).submit(SUBMISSION)


async def test_a_request_goes_to_the_node_to_which_the_cell_has_moved():
    log = MemoryTrafficLog()

    admission = await Cell(Left(), Left(), log).submit()

    assert admission.outcomes == (AdmissionOutcome.STORED,)
    assert len(log.hits) == 1


async def test_a_request_at_the_right_node_costs_no_look():
    cell = Cell(MemoryTrafficLog())

    await cell.submit()

    assert cell.looks == 0


async def test_a_node_that_does_not_answer_is_not_asked_again():
    cell = Cell(Away(), MemoryTrafficLog())

    with pytest.raises(StoreUnavailable):
        await cell.submit()

    assert cell.looks == 0


async def test_a_cell_that_is_found_nowhere_is_given_up():
    with pytest.raises(StoreMoved):
        await Cell(Left()).submit(patience_seconds=0.05)
