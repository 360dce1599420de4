"""Commands about cells."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import cell_stream
from footfall.domain.cells import cell
from footfall.domain.cells.cell import Cell


@frozen
class CellCommands:
    """Adds cells, moves, closes and reopens them.

    Every command raises CellRefused when there is no such cell, or when there is one already.
    """

    streams: DecideAndAppend

    async def add(self, name: str, mark: str, context: CommandContext) -> None:
        """Let a store with this mark take the traffic of sites."""
        await self._change(name, lambda state: cell.add(state, name, mark), context)

    async def move(self, name: str, place: str, mark: str, context: CommandContext) -> None:
        """Let the store at another place, which has this mark, have the traffic of a cell."""
        await self._change(name, lambda state: cell.move(state, name, place, mark), context)

    async def close(self, name: str, context: CommandContext) -> None:
        """Place no new sites in a cell; it keeps those that it has."""
        await self._change(name, lambda state: cell.close(state, name), context)

    async def reopen(self, name: str, context: CommandContext) -> None:
        """Place new sites in a cell again."""
        await self._change(name, lambda state: cell.reopen(state, name), context)

    async def _change(
        self, name: str, decide: Callable[[Cell | None], Sequence[Any]], context: CommandContext
    ) -> None:
        await self.streams.change(cell_stream(name), cell.apply, decide, context)
