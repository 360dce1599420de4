"""Jobs of a store wait while nothing uses it, and go on with the next use or look."""

import asyncio

from footfall.application.maintenance.idle_schedule import Pulse


def soon_idle():
    return Pulse(in_use_seconds=0.05, one_seconds=0.01)


class Job:
    """Counts its rounds."""

    def __init__(self, its):
        self.rounds, self._its = 0, its

    async def run(self):
        while True:
            await self._its.rest(0)
            self.rounds += 1

    async def settled(self):
        """Return the rounds so far, when no more come for a while."""
        before = -1
        while before != self.rounds:
            before = self.rounds
            await asyncio.sleep(0.2)
        return before


async def test_jobs_of_an_idle_store_go_on_once_a_look_and_all_the_time_with_a_use():
    its = soon_idle()
    jobs = [Job(its), Job(its)]
    running = [asyncio.create_task(job.run()) for job in jobs]
    idle = [await job.settled() for job in jobs]
    await its.look()
    looked = [await job.settled() for job in jobs]
    its.use()
    used = [await job.settled() for job in jobs]

    for task in running:
        task.cancel()
    assert (idle, looked) == ([0, 0], [1, 1])
    assert min(used) > 10


async def test_news_of_the_journal_let_only_those_jobs_go_on_that_need_them():
    its = soon_idle()
    told = asyncio.create_task(its.rest_until_news(0))
    other = asyncio.create_task(its.rest(0))
    await asyncio.sleep(0.05)
    before = told.done()

    its.tell()
    await asyncio.wait([told], timeout=5)

    assert (before, told.done(), other.done(), its.idle) == (False, True, False, True)
    other.cancel()


async def test_jobs_of_the_store_of_the_journal_never_wait():
    its = Pulse.of_main()

    async with asyncio.timeout(5):
        for _ in range(3):
            await its.rest(0)

    assert not its.idle
