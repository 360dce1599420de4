"""The steps of `footfall cell move`."""

from collections.abc import Callable
from math import inf
from time import monotonic

from attrs import field, frozen

from footfall.adapters.postgres.cells.arrival import make_room, settle
from footfall.adapters.postgres.cells.copying import Copy
from footfall.adapters.postgres.cells.departure import USUAL, Departure, Patience, departing
from footfall.adapters.postgres.cells.holders import CellHeld
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.move_signs import read_sign
from footfall.adapters.postgres.cells.places import require_cell, url_of_cell
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.layout import layout_of
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.server_check import examine
from footfall.adapters.postgres.intake.pauses import longest_pause
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.application.commands.context import CommandContext
from footfall.application.ports.cells import MovedTo
from footfall.domain.cells.cell import Cell, CellRefused, existing
from footfall.entrypoints.composition.commands.cell_commands import at_place, place_of, require_suitable
from footfall.entrypoints.composition.commands.command_stores import open_journal
from footfall.entrypoints.composition.projectors import build_projector, rebuilding
from footfall.entrypoints.settings import Settings

# A round that takes less leaves little for the end.
SHORT_SECONDS = 0.5
# Tries to refuse writers: between two of them events are stored.
ATTEMPTS = 3

# Says what the command does now.
Report = Callable[[str], None]


@frozen
class Moved:
    """A move that has ended, with the seconds for which events of the cell waited or were refused."""

    seconds: float
    # Whether the cell is on a cluster, and the place is a node of it.
    to_node: bool = False


async def move_cell(
    settings: Settings, url: str, name: str, place: str, report: Report, patience: Patience = USUAL
) -> Moved:
    """Copy the store of a cell to another place, let the old one be left, and tell the journal.

    A cell on a cluster moves to another node of it; its place is the same as before.

    Raises:
        CellRefused: there is no such cell; a place is not configured, cannot be used, or holds something else; the
            store is in use for too long; or the copy differs.
        StoreUnavailable: a store does not answer.
        UnsupportedSchema: a schema is that of an unknown version.

    """
    async with open_journal(url, settings.cells) as journal:
        cell = existing(journal.directory.state.cells.get(name), name)
        source = url_of_cell(name, place_of(settings, cell.place))
        if move := layout_of(source).move:
            report(f"moving to the node {place}")
            with at_place(cell.place):
                require_cell(source, cell.name, cell.mark)
                return Moved(await longest_pause(source, move(source, place)), to_node=True)
        target = url_of_cell(name, place_of(settings, place))
        to, refused = await _interrupted(source, cell), 0.0
        if to is None:
            to = MovedTo(place, SystemRandomness().sign_in_token())
            refused = await _move(cell, source, target, to, report, patience)
        report("telling the journal")
        began = monotonic()
        await journal.commands.cells.move(name, to.place, to.mark, CommandContext())
        refused += monotonic() - began
        if to.place != place:
            raise CellRefused(
                f"a move to the place {to.place} was interrupted at its end, and is complete now"
            )
    settle(target)
    return Moved(refused)


async def _interrupted(source: str, cell: Cell) -> MovedTo | None:
    """Return where the cell has moved by a command that could not tell the journal."""
    with at_place(cell.place), translated():
        async with await connect(source) as connection:
            return await read_sign(connection, cell.mark)


async def _move(
    cell: Cell, source: str, target: str, to: MovedTo, report: Report, patience: Patience
) -> float:
    """Return for how long events were refused."""
    if to.place == cell.place:
        raise CellRefused(f"the cell {cell.name} is at the place {to.place} already")
    with at_place(cell.place):
        require_cell(source, cell.name, cell.mark)
    async with departing(source, CellIdentity(cell.name, cell.mark), patience) as departure:
        report("making room")
        with at_place(to.place):
            require_suitable(examine(target))
            make_room(target, cell.name, cell.mark)
        with translated():
            async with await connect(target) as arrival:
                # The projector of a schema leaves the minutes of positions to the old place, which are copied.
                projector = build_projector(target, schema_of(target))
                try:
                    await _Move(
                        cell, target, to, report, departure, Copy(departure, arrival), projector
                    ).run()
                finally:
                    await projector.close()
        return departure.refused


@frozen
class _Move:
    """A cell on its way, while events are stored at the old place."""

    _cell: Cell
    _target: str = field(repr=False)
    _to: MovedTo
    _report: Report
    _departure: Departure
    _copy: Copy
    _projector: Projector

    async def run(self) -> None:
        """Copy and verify the store, and leave the old place."""
        self._report("waiting for jobs")
        await self._departure.hold_jobs()
        self._report("copying")
        await self._copy.begin(self._cell.name, self._to.mark)
        await self._catch_up()
        self._report("verifying")
        await self._verify()
        await self._leave()

    async def _catch_up(self) -> None:
        """Copy and project what has come meanwhile, until that takes little time, or does not become less."""
        self._report("catching up")
        longest = inf
        while longest > SHORT_SECONDS and (seconds := await self._follow()) < longest:
            longest = seconds

    async def _follow(self) -> float:
        began = monotonic()
        await self._copy.follow()
        while await self._projector.catch_up():
            pass
        return monotonic() - began

    async def _verify(self) -> None:
        async with rebuilding(self._target) as rebuilt:
            await rebuilt.replay(lambda _position, _target: None)
            differences = await rebuilt.differences()
        if differing := [table for table, rows in differences.items() if rows]:
            raise CellRefused(f"a replay of the copy differs in {', '.join(differing)}")

    async def _leave(self) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            await self._catch_up()
            try:
                await self._refuse_writers()
            except CellHeld:
                if attempt == ATTEMPTS:
                    raise
            else:
                return

    async def _refuse_writers(self) -> None:
        self._report("refusing writers")
        async with self._departure.standstill() as standstill, self._copy.completed():
            self._report("leaving the old place")
            await standstill.leave(self._to, self._cell.mark, now=SystemClock().now())
