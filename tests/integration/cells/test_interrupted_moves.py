"""`footfall cell move` that ends before its end: the old place stays in force, and the next move does the rest."""

import asyncio
import threading

import pytest

from footfall.adapters.postgres.cells.move_signs import PostgresMoveSigns
from footfall.application.cells.interrupted_moves import MoveFollower
from footfall.application.commands.context import CommandContext
from footfall.domain.cells.cell import CellRefused
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.entrypoints.composition.commands.command_stores import open_journal, opened
from tests.integration.cells.moving import MARK, PHASES, STORED, Installation, Killed

# The last one is enough for each run of the tests: a slow test kills a move in each phase while the cell is written.
STEPS = (*(pytest.param(phase, marks=pytest.mark.thorough) for phase in PHASES[:-1]), PHASES[-1])


@pytest.mark.parametrize("step", STEPS)
async def test_a_command_that_is_killed_leaves_the_old_place_in_force(installation, step):
    await installation.store(installation.old, STORED)

    with pytest.raises(Killed):
        await installation.move(until=step)

    assert await installation.place() == "west"
    assert await installation.store(installation.old, STORED) == (AdmissionOutcome.STORED,)
    await installation.move()
    rows, _ = installation.there()
    assert (await installation.place(), len(rows["hit"])) == ("harbour", 2)


async def test_a_command_that_is_killed_at_its_very_end_is_completed_by_the_next_one(installation):
    await installation.store(installation.old, STORED)
    with pytest.raises(Killed):
        await installation.move(until="telling the journal")
    place = await installation.place()

    await installation.move()

    assert (place, await installation.place()) == ("west", "harbour")
    assert installation.steps.count("copying") == 1
    assert await installation.store(installation.new, STORED, mark=await installation.mark()) == (
        AdmissionOutcome.STORED,
    )


async def test_a_command_that_is_killed_at_its_very_end_is_completed_by_the_service(installation):
    with pytest.raises(Killed):
        await installation.move(until="telling the journal")

    async with (
        open_journal(installation.url) as journal,
        opened(installation.old, most=1) as pool,
    ):

        async def tell(name, to):
            await journal.commands.cells.move(name, to.place, to.mark, CommandContext())

        await MoveFollower("west", PostgresMoveSigns(pool, installation.old, "another mark"), tell).look()
        place = await installation.place()
        await MoveFollower("west", PostgresMoveSigns(pool, installation.old, MARK), tell).look()

    assert (place, await installation.place()) == ("west", "harbour")


async def test_a_second_move_at_the_same_time_is_refused_and_drops_nothing(installation):
    await installation.store(installation.old, STORED)
    second = Installation(installation.settings, installation.url)
    refusals = []

    def move_again():
        try:
            asyncio.run(second.move())
        except CellRefused as refusal:
            refusals.append(str(refusal))

    def report(step):
        if step == "verifying":
            other = threading.Thread(target=move_again, daemon=True)
            other.start()
            other.join(30)

    await installation.move_with(report)

    [refusal] = refusals
    assert refusal.count("(process") == 1
    assert "in use by another move (process" in refusal
    assert second.steps == []
    rows, _ = installation.there()
    assert (await installation.place(), len(rows["hit"])) == ("harbour", 1)
