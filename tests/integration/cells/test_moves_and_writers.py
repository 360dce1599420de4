"""`footfall cell move` and what writes to its cell: refused for a moment at the end, and named when in the way."""

import asyncio
import json

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.cells.departure import departing
from footfall.adapters.postgres.cells.identity import CellIdentity
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey, Submission
from footfall.domain.cells.cell import CellRefused
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.domain.tracking.idempotency import IdempotencyKey
from tests.background import in_background
from tests.integration.cells.moving import MARK, SITE, STORED
from tests.stores.unheard import Unheard

BOT = OutcomeKey(SITE, "dropped", "bot")
REFUSED = {(BOT, NOON): 1}


async def test_nothing_is_written_to_the_old_place_by_those_who_know_no_other(installation):
    await installation.move()
    mark = await installation.mark()

    for know in (CellIdentity("west", MARK).require, None):
        intake = PostgresIntake(installation.old, require=know)
        async with in_background(intake=intake.run):
            with pytest.raises(StoreUnavailable):
                await intake.submit(Submission((STORED,)))
    with pytest.raises(StoreUnavailable):
        await installation.store(installation.new, STORED, mark=MARK)
    assert await installation.store(installation.new, STORED, mark=mark) == (AdmissionOutcome.STORED,)


async def test_writers_that_were_connected_before_are_refused_at_once_and_lose_nothing(installation):
    intake = PostgresIntake(installation.old, require=CellIdentity("west", MARK).require)
    pool = Connections(installation.old, most=2, answer_seconds=60)
    await pool.open()
    named = evolve(STORED, idempotency=IdempotencyKey(SITE, "during", b"same"), monthly_limit=100)
    async with in_background(intake=intake.run):
        await intake.submit(Submission((STORED,)))
        async with (
            departing(installation.old, CellIdentity("west", MARK)) as departure,
            departure.standstill(),
        ):
            for pending in (STORED, named):
                with pytest.raises(StoreUnavailable):
                    await asyncio.wait_for(intake.submit(Submission((pending,))), 5)
            with pytest.raises(StoreUnavailable):
                await asyncio.wait_for(PostgresOutcomeLedger(pool).add(REFUSED, source="a", number=1), 5)

        assert (await intake.submit(Submission((named,)))).outcomes == (AdmissionOutcome.STORED,)
    await pool.close()


async def test_a_count_that_waited_for_the_end_of_a_move_is_not_put_into_the_store_that_was_left(
    installation,
):
    pool = Connections(installation.old, most=2, answer_seconds=60)
    await pool.open()
    ledger = PostgresOutcomeLedger(pool)
    await ledger.add(REFUSED, source="a", number=1)
    waiting = []

    def report(step):
        if step == "leaving the old place":
            waiting.append(asyncio.create_task(ledger.add(REFUSED, source="a", number=2)))

    await installation.move_with(report)

    with pytest.raises(StoreUnavailable):
        await waiting[0]
    [(counted,)] = installation.left()[0]["ingestion_outcome"]
    assert json.loads(counted)["events"] == 1
    await pool.close()


async def test_a_count_whose_commit_was_not_heard_before_a_move_is_added_once(installation):
    pools = [Connections(url) for url in (installation.old, installation.new)]
    for pool in pools:
        await pool.open()
    with pytest.raises(StoreUnavailable):
        await PostgresOutcomeLedger(Unheard(pools[0])).add(REFUSED, source="a", number=1)

    await installation.move()
    await PostgresOutcomeLedger(pools[1]).add(REFUSED, source="a", number=1)

    [(counted,)] = installation.there()[0]["ingestion_outcome"]
    assert json.loads(counted)["events"] == 1
    for pool in pools:
        await pool.close()


@pytest.mark.usefixtures("impatient")
async def test_a_store_that_is_written_to_all_the_time_is_not_moved(installation):
    with psycopg.connect(installation.old) as writer:
        writer.execute("select pg_advisory_xact_lock_shared(lock_class(), 12)")

        holder = writer.info.backend_pid
        with pytest.raises(
            CellRefused,
            match=rf"in use by a writer \(process {holder} of the server[^()]*\): try again later",
        ):
            await installation.move()

    assert await installation.place() == "west"
    assert await installation.store(installation.old, STORED) == (AdmissionOutcome.STORED,)
