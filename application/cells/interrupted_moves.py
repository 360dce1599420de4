"""Moves that were interrupted after the old place was left, and before the journal knew."""

from collections.abc import Awaitable, Callable

from attrs import field, frozen

from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.ports.cells import MovedTo, MoveSigns
from footfall.application.ports.journal import StoreUnavailable

LOOK_SECONDS = 2.0


@frozen
class MoveFollower:
    """Looks for the sign that a cell has left at its place, and tells the journal where the cell is."""

    _cell: str
    _signs: MoveSigns
    _tell: Callable[[str, MovedTo], Awaitable[None]]
    _pulse: Pulse = field(factory=Pulse.of_main)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self._pulse.rest(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Look once; stores that do not answer are asked again later."""
        try:
            moved = await self._signs.read()
            if moved is not None:
                await self._tell(self._cell, moved)
        except StoreUnavailable:
            return
