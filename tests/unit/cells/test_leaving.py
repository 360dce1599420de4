"""The connections to a place that a cell has left stay open for requests that came before."""

import asyncio
from types import SimpleNamespace

import pytest

from footfall.entrypoints.composition.cells.served_cells import ServedCell


class Steps:
    """The parts of a served cell, which tell what is asked of them."""

    def __init__(self):
        self.done = []

    def part(self, name):
        async def step():
            self.done.append(name)

        return SimpleNamespace(drain=step, stop=step, close=step)


@pytest.fixture
def steps():
    return Steps()


@pytest.fixture
def served(steps):
    parts = ("intake", "reports", "report_connections", "connections")
    store = SimpleNamespace(**{name: steps.part(name) for name in parts}, server_watch=None)
    return ServedCell(None, store, None, None, steps.part("jobs"), SimpleNamespace(close=lambda: None))


async def test_requests_that_came_before_keep_their_connections(served, steps):
    leaving = asyncio.create_task(served.leave(asyncio.Event(), within=0.2))
    await asyncio.sleep(0.1)
    early = list(steps.done)
    await leaving

    assert early == ["intake", "jobs"]
    assert steps.done == ["intake", "jobs", "reports", "report_connections", "connections"]


async def test_a_worker_that_stops_does_not_wait_for_them(served, steps):
    stopping = asyncio.Event()
    stopping.set()

    async with asyncio.timeout(1):
        await served.leave(stopping)

    assert steps.done[-1] == "connections"
