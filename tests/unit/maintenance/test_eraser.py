"""When deleted sites are erased, and how gently."""

import contextlib
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.memory.clock import ManualClock
from footfall.application.maintenance.site_erasure import ROUNDS, Eraser
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.maintenance import DueErasure
from footfall.domain.examples import NOON


class Rows:
    """Erasures over a number of rows for each site."""

    def __init__(self, rows):
        self.rows = dict(rows)
        self.due = {site: (NOON, DueErasure(site_id=site, deleted_at=NOON, round=0)) for site in rows}
        self.slices = []
        self.taken = False
        self.swept = True

    async def waiting(self, now):
        return await self.next_due(now) is not None

    @contextlib.asynccontextmanager
    async def lock(self):
        yield None if self.taken else self

    async def next_due(self, now):
        ready = [due for at, due in self.due.values() if at <= now]
        return ready[0] if ready else None

    async def erase_some(self, site_id, limit):
        erased = min(limit, self.rows[site_id])
        self.rows[site_id] -= erased
        self.slices.append((site_id, erased))
        return erased

    async def is_swept(self, _site_id):
        return self.swept

    async def finish_round(self, due, *, next_at):
        del self.due[due.site_id]
        if next_at is not None:
            self.due[due.site_id] = (
                next_at,
                DueErasure(site_id=due.site_id, deleted_at=due.deleted_at, round=due.round + 1),
            )


def eraser(rows, clock=None):
    return Eraser(rows, clock or ManualClock(NOON), slice_size=10, rest=0.0)


async def test_a_site_goes_slice_by_slice():
    rows = Rows({1: 25})

    await eraser(rows).work()

    assert rows.slices == [(1, 10), (1, 10), (1, 5), (1, 0)]


async def test_every_site_that_is_due_is_erased():
    rows = Rows({1: 5, 2: 5})

    await eraser(rows).work()

    assert rows.rows == {1: 0, 2: 0}


async def test_a_site_that_is_deleted_meanwhile_is_listed_before_its_first_event_goes():
    rows, listed = Rows({1: 5}), []
    finish = rows.finish_round

    async def delete_another(due, *, next_at):
        if due.site_id == 1:
            rows.rows[2], rows.due[2] = 5, (NOON, DueErasure(site_id=2, deleted_at=NOON, round=0))
        await finish(due, next_at=next_at)

    async def list_sites():
        listed.append((sorted(rows.due), len(rows.slices)))

    rows.finish_round = delete_another
    await evolve(eraser(rows), listed=list_sites).work()

    assert rows.rows == {1: 0, 2: 0}
    begun = rows.slices.index((2, 5))
    assert any(2 in sites and slices <= begun for sites, slices in listed)


async def test_rounds_follow_at_their_times_and_end():
    rows, clock, times = Rows({1: 0}), ManualClock(NOON), []
    while rows.due:
        times.append(rows.due[1][0] - NOON)
        clock.advance(NOON + times[-1] - clock.now())
        await eraser(rows, clock).work()

    assert times == list(ROUNDS)


async def test_an_erasure_ends_when_every_node_has_removed_its_files():
    rows, clock = Rows({1: 0}), ManualClock(NOON)
    rows.swept = False
    for _ in range(len(ROUNDS) + 3):
        clock.advance(rows.due[1][0] - clock.now())
        await eraser(rows, clock).work()
    waiting = rows.due[1][0] - clock.now()

    rows.swept = True
    clock.advance(waiting)
    await eraser(rows, clock).work()

    assert (waiting, rows.due) == (timedelta(hours=1), {})


async def test_a_round_that_comes_late_keeps_its_distance_from_the_next():
    rows, clock = Rows({1: 0}), ManualClock(NOON)
    clock.advance(timedelta(days=3))

    await eraser(rows, clock).work()

    assert rows.due[1][0] == clock.now() + ROUNDS[1]


async def test_who_does_not_have_the_turn_does_nothing():
    rows = Rows({1: 5})
    rows.taken = True

    await eraser(rows).work()

    assert rows.slices == []


async def test_an_unreachable_store_leaves_the_round_due():
    rows = Rows({1: 5})

    async def unreachable(*_):
        raise StoreUnavailable

    rows.erase_some = unreachable
    with pytest.raises(StoreUnavailable):
        await eraser(rows).work()

    assert rows.due[1][1].round == 0
