"""Background work for idle cells: one worker of a node follows the journal, and each looks at them now and then."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from footfall.adapters.columns.locks import holding
from footfall.application.cells.journal_copies import JournalFollower
from footfall.application.maintenance.idle_schedule import LOOK_SECONDS, Pulse

# The pause while another worker of the node follows, or there is nothing to follow.
WAIT_SECONDS = 2.0
NEWS_SECONDS = 0.5


@define(eq=False)
class CellLooks:
    """Brings new events of the journal to the cells of a node, and lets the jobs of idle cells look.

    `followers` are those of the cells that are served now. Each idle cell is looked at once in `look_seconds`.
    """

    _folder: Path
    _followers: Callable[[], Mapping[str, tuple[JournalFollower, Pulse]]]
    _look_seconds: float = LOOK_SECONDS
    _following: dict[str, asyncio.Task[None]] = field(factory=dict, init=False)

    async def run(self) -> None:
        """Follow and look until cancelled, in one worker of the node at a time."""
        while True:
            if self._followers():
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                async with holding(self._folder / "journal.lock", within=0.0) as mine:
                    if mine:
                        await asyncio.gather(self._follow(), self._look())
            await asyncio.sleep(WAIT_SECONDS)

    def bring_news(self) -> None:
        """Let each cell that lacks an event get it; one that does not answer keeps no other waiting."""
        for cell, (follower, _) in self._followers().items():
            busy = self._following.get(cell)
            if follower.has_news and (busy is None or busy.done()):
                self._following[cell] = asyncio.create_task(follower.follow_news())

    async def _follow(self) -> None:
        try:
            while True:
                self.bring_news()
                await asyncio.sleep(NEWS_SECONDS)
        finally:
            for following in self._following.values():
                following.cancel()

    async def _look(self) -> None:
        """Let each idle cell look once in a while; one that hangs delays others by the wait for its connection."""
        while True:
            followers = self._followers()
            for follower, pulse in followers.values():
                await asyncio.sleep(self._look_seconds / len(followers))
                if pulse.idle:
                    await follower.look()
                    await pulse.look()
            if not followers:
                await asyncio.sleep(WAIT_SECONDS)
