"""The service is ready when events are stored, and the projector waits its turn without a traceback."""

import psycopg
import pytest

from footfall.adapters.postgres.database.readiness import PostgresReadiness
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import a_hit
from tests.background import in_background
from tests.submissions import one
from tests.waiting import until

ALTER = "do $$ begin execute format('alter database %I {}', current_database()); end $$"
READ_ONLY = ALTER.replace("{}", "set default_transaction_read_only = on")
WRITABLE = ALTER.replace("{}", "reset default_transaction_read_only")


def refuse_writes(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(READ_ONLY)


def take_writes(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("set default_transaction_read_only = off")
        connection.execute(WRITABLE)


async def test_a_store_that_answers_and_takes_no_event_is_not_ready_until_it_takes_one(
    connections, database_url
):
    intake = PostgresIntake(database_url)
    async with in_background(intake=intake.run):
        readiness = PostgresReadiness(connections, intake.refusing)
        ready_before = await readiness.obstacles()

        refuse_writes(database_url)
        with pytest.raises(StoreUnavailable):
            await intake.submit(one(a_hit()))
        while_refusing = await readiness.obstacles()
        take_writes(database_url)
        await intake.submit(one(a_hit()))
        afterwards = await readiness.obstacles()
    assert (ready_before, afterwards) == ([], [])
    assert while_refusing == ["the store answers and took none of the last events: its disk may be full"]


async def test_a_refusal_no_longer_affects_readiness_when_no_events_follow(connections):
    intake = PostgresIntake("postgresql://footfall@127.0.0.1:1/nowhere", refusing_seconds=1.0)
    async with in_background(intake=intake.run):
        with pytest.raises(StoreUnavailable):
            await intake.submit(one(a_hit()))

        assert intake.refusing()
        await until(lambda: not intake.refusing())
        assert await PostgresReadiness(connections, intake.refusing).obstacles() == []
