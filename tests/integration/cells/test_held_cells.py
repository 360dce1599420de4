"""`footfall cell move` waits for what changes more than events do, and names what it has waited for."""

import time
from contextlib import contextmanager

import psycopg
import pytest

from footfall.adapters.postgres.cells.departure import USUAL, Patience
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.application.ports.imports import LedgerKey, StoreBeingMoved
from footfall.domain.cells.cell import CellRefused
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.entrypoints.composition.commands.command_stores import opened
from footfall.entrypoints.composition.projectors import build_projector
from tests.histories import hit
from tests.integration.cells.moving import SITE, STORED
from tests.integration.cells.writers import Source

SHARED = "select pg_advisory_xact_lock_shared(lock_class(), {})"
ALONE = "select pg_advisory_xact_lock(lock_class(), {})"
HOLDERS = {
    "the erasure of a site": ALONE.format(5),
    "a rebuild of the projections": ALONE.format(6),
    "retention": ALONE.format(7),
    "the closing of days": ALONE.format(10),
    "the taking back of an import": SHARED.format(16),
    "a writer": "insert into idempotency values (1, 'a', '', now())",
    "another connection": "lock table session in share update exclusive mode",
}


@contextmanager
def transaction(url, statement):
    """Keep a transaction open; return the number of its process at the server."""
    with psycopg.connect(url) as connection:
        connection.execute(statement)
        yield connection.info.backend_pid


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("holder", HOLDERS)
async def test_what_holds_a_cell_is_named_with_its_process(installation, holder):
    with transaction(installation.old, HOLDERS[holder]) as process:
        named = rf"in use by {holder} \(process {process} of the server[^()]*\): try again later"
        with pytest.raises(CellRefused, match=named):
            await installation.move()

    assert await installation.place() == "west"
    await installation.move()
    assert await installation.place() == "harbour"


@pytest.mark.usefixtures("impatient")
async def test_a_writer_that_does_not_commit_is_named(installation):
    await installation.store(installation.old, STORED)
    again = (
        "insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type) "
        "select site_id, visitor_id, occurred_at, received_at, type, device_type from hit"
    )
    stalled = psycopg.connect(installation.old)

    def report(step):
        if step == "copying":
            stalled.execute(again)

    with pytest.raises(CellRefused, match="in use by a writer"):
        await installation.move_with(report)

    stalled.close()
    await installation.move()
    assert len(installation.there()[0]["hit"]) == 1


@pytest.mark.usefixtures("impatient")
async def test_writers_are_refused_again_when_one_takes_too_long_at_first(installation):
    slow = psycopg.connect(installation.old)

    def report(step):
        if step == "refusing writers" and not slow.closed:
            slow.execute("insert into idempotency values (1, 'slow', '', now())")
        if step == "catching up" and "refusing writers" in installation.steps:
            slow.commit()
            slow.close()

    moved = await installation.move_with(report)

    assert installation.steps.count("refusing writers") == 2
    assert moved.seconds > installation.patience.writer
    assert len(installation.there()[0]["idempotency"]) == 1


async def test_a_move_whose_end_takes_too_long_is_given_up(installation):
    installation.patience = Patience(refusing=0.3)
    await installation.store(installation.old, STORED)

    def report(step):
        if step == "leaving the old place":
            time.sleep(0.5)

    with pytest.raises(CellRefused, match="could not be copied within"):
        await installation.move_with(report)

    assert installation.steps.count("refusing writers") == 1
    assert await installation.store(installation.old, STORED) == (AdmissionOutcome.STORED,)
    installation.patience = USUAL
    await installation.move()
    assert len(installation.there()[0]["hit"]) == 2


async def test_an_import_is_not_taken_back_while_its_store_moves(installation):
    async with opened(installation.old, most=2) as pool:
        imports = PostgresImports(pool)
        begun = await imports.begin(SITE, Source, now=NOON)
        counts = {LedgerKey(str(NOON.date()), "pageview", ""): 1}
        record = await imports.store(begun, [hit(NOON)], mark="1", counts=counts, now=NOON)
        with (
            transaction(installation.old, ALONE.format(AdvisoryLock.UNDO)),
            pytest.raises(StoreBeingMoved, match="is being moved"),
        ):
            await undo(imports, record, installation.old)

        await undo(imports, record, installation.old)

        assert await imports.all() == []


async def undo(imports, record, url):
    projector = build_projector(url)
    try:
        await imports.undo(record, project=projector.catch_up, advance=lambda _days: None)
    finally:
        await projector.close()
