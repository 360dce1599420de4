"""Requests whose hits are in several cells."""

import asyncio

import pytest
from attrs import evolve

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.cells.intake import CellIntake
from footfall.application.ports.cells import CellAway
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import CommitUnknown, Submission
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit, RateLimitCharge
from footfall.domain.tracking.idempotency import IdempotencyKey
from footfall.domain.tracking.rate_limit import RateLimit
from tests.histories import START, hit

STORED, AWAY = AdmissionOutcome.STORED, AdmissionOutcome.UNAVAILABLE
LIMIT = RateLimit(3, 600)
# Sites 1 and 2 are in cells, others in the store of the journal.
CELLS = {1: "west", 2: "east"}


class Away:
    """A cell that is away."""

    def __init__(self, failure=StoreUnavailable):
        self.failure = failure

    async def submit(self, submission):
        failure = self.failure
        raise failure(submission) if callable(failure) else failure


class Installation:
    """Stores in memory behind one intake."""

    def __init__(self, **cells):
        self.main = MemoryTrafficLog()
        self.stores = {None: self.main, "west": MemoryTrafficLog(), "east": MemoryTrafficLog(), **cells}
        self.intake = CellIntake(self.main, lambda: CELLS, self.stores.__getitem__)

    async def submit(self, *sites, at=None, **changes):
        pending = tuple(one(site, **changes) for site in sites)
        charge = None if at is None else RateLimitCharge(7, LIMIT, at)
        return await self.intake.submit(Submission(pending, charge))

    def hits(self, cell):
        return [recorded.hit.site_id for recorded in self.stores[cell].hits]

    async def use_up(self):
        """Use up the requests that the key has left, and return how many these were."""
        used = 0
        while not (await self.submit(at=LIMIT.requests)).rate_limited:
            used += 1
        return used


def one(site, **changes):
    return PendingHit(evolve(hit(START), site_id=site), **changes)


async def test_each_hit_is_stored_in_the_cell_of_its_site_and_answers_keep_their_order():
    installation = Installation()

    admission = await installation.submit(2, 1, 9, 2, 1)

    assert admission.outcomes == (STORED,) * 5
    assert [installation.hits(cell) for cell in ("west", "east", None)] == [[1, 1], [2, 2], [9]]


async def test_a_request_for_one_cell_asks_no_other_one():
    installation = Installation(east=None)
    installation.stores[None] = None

    assert (await installation.submit(1)).outcomes == (STORED,)
    assert (await installation.submit(1, 1)).outcomes == (STORED, STORED)


async def test_hits_of_a_cell_that_is_away_are_unavailable_and_the_others_stored():
    installation = Installation(west=Away())

    admission = await installation.submit(1, 2, 9, at=1)

    assert admission.outcomes == (AWAY, STORED, STORED)
    assert admission.rate.remaining == 2


async def test_a_request_whose_only_cell_is_away_is_refused_and_not_charged():
    installation = Installation(west=Away())

    with pytest.raises(StoreUnavailable):
        await installation.submit(1, at=1)

    assert await installation.use_up() == 3


async def test_a_request_that_no_cell_stores_is_not_charged():
    installation = Installation(west=Away(), east=Away())

    admission = await installation.submit(1, 2, at=1)

    assert admission.outcomes == (AWAY, AWAY)
    assert admission.rate.remaining == await installation.use_up() == 3


async def test_a_request_whose_hits_are_all_over_the_limit_is_not_charged():
    installation = Installation()

    admission = await installation.submit(1, at=1, monthly_limit=0)

    assert admission.outcomes == (AdmissionOutcome.OVER_LIMIT,)
    assert admission.rate.remaining == await installation.use_up() == 3


async def test_the_rate_limit_is_one_for_all_cells_and_refuses_before_anything_is_stored():
    installation = Installation()
    for at, site in enumerate((1, 2, 9)):
        assert not (await installation.submit(site, at=at)).rate_limited

    refused = await installation.submit(1, 2, at=3)

    assert refused.rate_limited
    assert [len(installation.hits(cell)) for cell in ("west", "east", None)] == [1, 1, 1]


async def test_a_replay_in_a_cell_counts_against_the_rate_limit():
    installation = Installation()
    named = {"idempotency": IdempotencyKey(1, "once", b"same")}

    await installation.submit(1, at=1, **named)
    admission = await installation.submit(1, at=2, **named)

    assert admission.outcomes == (AdmissionOutcome.REPLAYED,)
    assert await installation.use_up() == 1


async def test_a_commit_in_doubt_of_the_only_cell_is_reported_as_such_and_stays_charged():
    committed = asyncio.get_running_loop().create_future()
    installation = Installation(west=Away(lambda _: CommitUnknown((True,), committed)))

    with pytest.raises(CommitUnknown):
        await installation.submit(1, at=1)

    assert await installation.use_up() == 2


async def test_a_commit_in_doubt_of_one_of_several_cells_is_known_by_its_hits():
    committed = asyncio.get_running_loop().create_future()
    unknown = Away(lambda submission: CommitUnknown((True,) * len(submission.pending), committed))
    installation = Installation(east=unknown)

    admission = await installation.submit(1, 2, 9, 2)

    assert admission.outcomes == (STORED, AWAY, STORED, AWAY)
    assert admission.in_doubt == {1: committed, 3: committed}


async def test_without_the_store_of_the_journal_events_without_a_key_go_on_in_the_cells():
    installation = Installation()
    await installation.main.drain()

    assert (await installation.submit(1, 2)).outcomes == (STORED, STORED)
    with pytest.raises(StoreUnavailable):
        await installation.submit(1, at=1)


async def test_a_cell_that_is_not_configured_is_away():
    def unknown(_):
        raise CellAway("the cell west is at a place that FOOTFALL_CELLS does not name")

    installation = Installation()
    intake = CellIntake(installation.main, lambda: CELLS, unknown)

    with pytest.raises(CellAway, match="west"):
        await intake.submit(Submission((one(1),)))
