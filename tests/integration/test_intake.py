"""Group commit on a real server: neighbours, restarts, and a store that is away."""

import asyncio

import psycopg
import pytest

from footfall.adapters.postgres.intake import PostgresIntake
from footfall.application.ports import StoreUnavailable
from footfall.domain.admission import Fate
from footfall.domain.examples import a_hit
from footfall.entrypoints.background import Background
from tests.submissions import one


@pytest.fixture
async def intake(database_url):
    intake = PostgresIntake(database_url)
    background = Background({"intake": intake.run})
    background.start()
    yield intake
    await background.stop()


def count(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select count(*) from hit").fetchone()[0]


async def test_a_poisoned_hit_costs_its_neighbours_nothing(intake, database_url):
    hits = [a_hit(visitor_id=number) for number in range(200)]
    hits[77] = a_hit(visitor_id=77, pathname="/\x00")

    outcomes = await asyncio.gather(*(intake.submit(one(hit)) for hit in hits), return_exceptions=True)

    assert [number for number, outcome in enumerate(outcomes) if outcome.fates == (Fate.UNSTORABLE,)] == [77]
    assert sum(outcome.fates == (Fate.STORED,) for outcome in outcomes) == count(database_url) == 199


async def test_a_dropped_partition_is_made_again(intake, database_url):
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("drop table hit_202603")

    outcome = await intake.submit(one(a_hit()))

    assert outcome.fates == (Fate.STORED,)
    assert count(database_url) == 1


async def test_a_cut_connection_is_made_again(intake, database_url):
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )

    with pytest.raises(StoreUnavailable):
        await intake.submit(one(a_hit()))
    await intake.submit(one(a_hit()))

    assert count(database_url) == 2


async def test_a_store_that_is_away_refuses_at_once():
    intake = PostgresIntake("postgresql://nobody@127.0.0.1:1/nothing")
    background = Background({"intake": intake.run})
    background.start()

    outcomes = await asyncio.gather(*(intake.submit(one(a_hit())) for _ in range(10)), return_exceptions=True)

    await background.stop()
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 10
