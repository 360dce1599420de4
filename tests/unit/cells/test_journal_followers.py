"""When the part of the journal that a cell needs is brought to it."""

import asyncio
from contextlib import suppress

from footfall.application.cells.journal_copies import JournalFollower
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.entrypoints.composition.cells.idle_cells import CellLooks


class FakeCopy:
    """A copy that counts how often it is brought."""

    def __init__(self):
        self.reached = 0
        self.times = 0

    async def bring(self, up_to):
        self.reached = up_to
        self.times += 1


async def brought(follower, journal, events):
    """Follow one event after the other, and leave time between them."""
    for _ in range(events):
        journal["position"] += 1
        if follower.has_news:
            await follower.follow_news()
        await asyncio.sleep(0.01)


def make(pulse):
    copy, journal = FakeCopy(), {"position": 0}
    position = lambda: journal["position"]  # noqa: E731 - both are the same here
    return JournalFollower("c", copy, position, position, pulse), copy, journal


async def test_events_for_an_idle_cell_are_brought_together_when_it_is_looked_at():
    follower, copy, journal = make(Pulse())

    await brought(follower, journal, 5)
    assert (copy.times, copy.reached) == (0, 0)
    assert await follower.look()

    assert (copy.times, copy.reached) == (1, 5)


async def test_a_cell_in_use_gets_each_event_at_once():
    pulse = Pulse()
    follower, copy, journal = make(pulse)

    pulse.use()
    await brought(follower, journal, 5)

    assert (copy.times, copy.reached) == (5, 5)


async def test_a_report_brings_what_an_idle_cell_lacks():
    follower, copy, journal = make(Pulse())
    await brought(follower, journal, 5)

    await follower.follow()

    assert copy.reached == 5


async def test_events_are_brought_to_each_idle_cell_in_turn(tmp_path):
    cells = {name: (*make(pulse), pulse) for name, pulse in (("a", Pulse()), ("b", Pulse()))}
    followers = {name: (follower, pulse) for name, (follower, _, _, pulse) in cells.items()}
    looks = CellLooks(tmp_path / "cells", lambda: followers, look_seconds=0.2)
    for _, _, journal, _ in cells.values():
        journal["position"] = 3

    looking = asyncio.create_task(looks.run())
    async with asyncio.timeout(30):
        while not all(copy.reached for _, copy, _, _ in cells.values()):
            await asyncio.sleep(0.01)
    looking.cancel()
    with suppress(asyncio.CancelledError):
        await looking

    assert [(copy.times, copy.reached) for _, copy, _, _ in cells.values()] == [(1, 3), (1, 3)]
