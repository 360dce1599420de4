"""What `footfall cell move` does."""

from collections.abc import Callable

from footfall.adapters.postgres.cells.arrival import make_room, settle
from footfall.adapters.postgres.cells.citus.moving import move_to_node
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.cells.moving import departing, moving_alone, read_sign
from footfall.adapters.postgres.cells.places import require_cell, url_of_cell
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import is_citus
from footfall.adapters.postgres.database.server_check import examine
from footfall.adapters.postgres.intake.pauses import longest_pause
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.application.commands.context import CommandContext
from footfall.application.ports.cells import MovedTo
from footfall.domain.cells.cell import Cell, CellRefused, existing
from footfall.entrypoints.composition.commands.cell_commands import at_place, place_of, require_suitable
from footfall.entrypoints.composition.commands.command_stores import open_journal, rebuilding
from footfall.entrypoints.settings import Settings

# Says what the command does now.
Report = Callable[[str], None]


async def move_cell(settings: Settings, url: str, name: str, place: str, report: Report) -> float | None:
    """Copy the store of a cell to another place, let the old one be left, and tell the journal.

    A cell in a cluster of Citus moves to another node of it; its place is the same as before. The longest pause of
    writers of such a move is returned, in seconds.

    Raises:
        CellRefused: there is no such cell; a place is not configured, cannot be used, or holds something else; the
            store is in use for too long; or the copy differs.
        StoreUnavailable: a store does not answer.
        UnsupportedSchema: a schema is that of an unknown version.

    """
    async with open_journal(url, settings.cells) as journal:
        cell = existing(journal.directory.state.cells.get(name), name)
        source = url_of_cell(name, place_of(settings, cell.place))
        if is_citus(source):
            report(f"moving to the node {place}")
            with at_place(cell.place):
                require_cell(source, cell.name, cell.mark)
                return await longest_pause(source, move_to_node(source, place))
        target = url_of_cell(name, place_of(settings, place))
        to = await _interrupted(source, cell)
        if to is None:
            to = MovedTo(place, SystemRandomness().sign_in_token())
            await _move(cell, source, target, to, report)
        report("telling the journal")
        await journal.commands.cells.move(name, to.place, to.mark, CommandContext())
        if to.place != place:
            raise CellRefused(
                f"a move to the place {to.place} was interrupted at its end, and is complete now"
            )
    settle(target)
    return None


async def _interrupted(source: str, cell: Cell) -> MovedTo | None:
    """Return where the cell has moved by a command that could not tell the journal."""
    with at_place(cell.place), translated():
        async with await connect(source) as connection:
            return await read_sign(connection, cell.mark)


async def _move(cell: Cell, source: str, target: str, to: MovedTo, report: Report) -> None:
    if to.place == cell.place:
        raise CellRefused(f"the cell {cell.name} is at the place {to.place} already")
    with at_place(cell.place):
        require_cell(source, cell.name, cell.mark)
    async with moving_alone(source):
        await _copy(cell, source, target, to, report)


async def _copy(cell: Cell, source: str, target: str, to: MovedTo, report: Report) -> None:
    report("making room")
    with at_place(to.place):
        require_suitable(examine(target))
        make_room(target, cell.name, cell.mark)
    report("waiting for writers")
    async with departing(source, CellIdentity(cell.name, cell.mark)) as departure:
        report("copying")
        await departure.copy_to(target, cell.name, to.mark)
        report("verifying")
        await _verify(target)
        report("leaving the old place")
        await departure.leave(to, cell.mark, now=SystemClock().now())


async def _verify(target: str) -> None:
    async with rebuilding(target) as rebuilt:
        await rebuilt.replay(lambda _position, _target: None)
        found = await rebuilt.differences()
    if differing := [table for table, rows in found.items() if rows]:
        raise CellRefused(f"a replay of the copy differs in {', '.join(differing)}")
