"""The schedule of a store's background work: steady while the store is in use, now and then while it is idle."""

import asyncio
import time
from collections import deque

from attrs import define, field

# Jobs of a store go on for as long after its last use: hits are projected, and the connections still needed.
IN_USE_SECONDS = 15.0
# Between two looks at an idle cell, for what others have left there: hits of a process that ended, rounds of erasure.
# A look costs a new connection, in which each statement is planned for the first time.
LOOK_SECONDS = 600.0
# Jobs look one after the other: one connection does for all.
ONE_SECONDS = 0.2


@define(eq=False)
class Pulse:
    """Tells the jobs of a store when to go on; a store that is not used lets them wait.

    `steady` is for a store whose jobs never wait.
    """

    steady: bool = False
    in_use_seconds: float = IN_USE_SECONDS
    one_seconds: float = ONE_SECONDS
    _until: float = field(default=float("-inf"), init=False)
    _waiting: deque[asyncio.Future[None]] = field(factory=deque, init=False)
    _waiting_for_news: deque[asyncio.Future[None]] = field(factory=deque, init=False)

    @classmethod
    def of_main(cls) -> "Pulse":
        """Return the pulse of the store of the journal, which is in use all the time."""
        return cls(steady=True)

    @property
    def idle(self) -> bool:
        """Whether nothing has used the store lately."""
        return not self.steady and time.monotonic() >= self._until

    def use(self) -> None:
        """Let the jobs of the store go on for some time."""
        # Each event for a cell comes here.
        self._until = time.monotonic() + self.in_use_seconds
        while self._waiting:
            _release(self._waiting)
        self.tell()

    def tell(self) -> None:
        """Let the jobs go on once that wait for news of the journal."""
        while self._waiting_for_news:
            _release(self._waiting_for_news)

    async def look(self) -> None:
        """Let each job that waits go on once, one after the other."""
        for waiting in (self._waiting_for_news, self._waiting):
            for _ in range(len(waiting)):
                if waiting:
                    _release(waiting)
                    await asyncio.sleep(self.one_seconds)

    async def rest(self, seconds: float) -> None:
        """Return after so many seconds, of an idle store when it is used, or looked at, again."""
        await asyncio.sleep(seconds)
        await self._wait(self._waiting)

    async def rest_until_news(self, seconds: float) -> None:
        """Do the same, and return with news of the journal, too."""
        await asyncio.sleep(seconds)
        await self.wait_for_news()

    async def wait_for_news(self) -> None:
        """Return at once unless the store is idle, else with news, or when it is used, or looked at, again."""
        await self._wait(self._waiting_for_news)

    async def _wait(self, among: deque[asyncio.Future[None]]) -> None:
        if self.idle:
            waiting = asyncio.get_running_loop().create_future()
            among.append(waiting)
            await waiting


def _release(among: deque[asyncio.Future[None]]) -> None:
    waiting = among.popleft()
    if not waiting.done():
        waiting.set_result(None)
