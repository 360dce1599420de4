"""When the background work of a store is due: all the time while the store is in use, now and then while it is idle."""

import asyncio
import time

from attrs import define, field

# Jobs of a store go on for as long after its last use: hits are projected, and the connections still needed.
IN_USE_SECONDS = 15.0
# Between two looks at an idle cell, for what others have left there: hits of a process that ended, rounds of erasure.
LOOK_SECONDS = 120.0


@define(eq=False)
class Pulse:
    """Tells the jobs of a store when to go on; a store that is not used lets them wait.

    `steady` is for a store whose jobs never wait.
    """

    steady: bool = False
    _until: float = field(default=float("-inf"), init=False)
    _used: asyncio.Event = field(factory=asyncio.Event, init=False)

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
        self._until = time.monotonic() + IN_USE_SECONDS
        if not self._used.is_set():
            self._used.set()

    def look(self) -> None:
        """Let each job that waits go on once."""
        self._used.set()

    async def rest(self, seconds: float) -> None:
        """Return after so many seconds, of an idle store when it is used, or looked at, again."""
        await asyncio.sleep(seconds)
        await self.wait()

    async def wait(self) -> None:
        """Return at once unless the store is idle, else when it is used, or looked at, again."""
        if self.idle:
            self._used.clear()
            await self._used.wait()
