"""Homes of the stores of cells: their places, or servers of a cluster."""

import asyncio
from collections.abc import Mapping

from attrs import define, field

from footfall.adapters.postgres.cells.places import url_of_cell
from footfall.adapters.postgres.database.layout import Home, layout_of
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.cells.cell import Cell

# A cluster that does not answer keeps no other cell waiting for longer.
FIND_SECONDS = 1.0


@define(eq=False)
class CellHomes:
    """The URLs of the stores of cells; `places` are those of the configuration."""

    _places: Mapping[str, str] = field(repr=False)
    # By cell and place: to make a URL takes as long as to store some events, and workers ask all the time.
    _homes: dict[tuple[str, str], Home] = field(factory=dict, init=False, repr=False)
    _finding: dict[str, asyncio.Task[None]] = field(factory=dict, init=False)

    def moves(self, cell: Cell) -> bool:
        """Whether the cell can move to another node by itself."""
        # Each event for a cell asks.
        return cell.place in self._places and self._home(cell).moves

    async def url_of(self, cell: Cell) -> str | None:
        """Return the URL of the store of a cell; None where its place is not configured, or its home not found yet."""
        if cell.place not in self._places:
            return None
        home = self._home(cell)
        if home.url is None:
            await self._find(cell)
        return home.url

    async def look(self, cell: Cell) -> None:
        """Find the home of a cell anew.

        Raises:
            StoreUnavailable: no node answers.

        """
        await self._home(cell).look()

    async def close(self) -> None:
        """Close all connections."""
        for finding in self._finding.values():
            finding.cancel()
        for home in self._homes.values():
            await home.close()

    async def _find(self, cell: Cell) -> None:
        """Look for a home for a moment; the search goes on afterwards."""
        finding = self._finding.get(cell.name)
        if finding is None or finding.done():
            finding = self._finding[cell.name] = asyncio.create_task(self._try(cell))
            await asyncio.wait([finding], timeout=FIND_SECONDS)

    async def _try(self, cell: Cell) -> None:
        try:
            await self.look(cell)
        except StoreUnavailable:
            return

    def _home(self, cell: Cell) -> Home:
        key = (cell.name, cell.place)
        if key not in self._homes:
            url = url_of_cell(cell.name, self._places[cell.place])
            self._homes[key] = layout_of(url).home(url)
        return self._homes[key]
