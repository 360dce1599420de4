"""Group commit on a real server: neighbours, restarts, and a store that is away."""

import asyncio
import weakref
from contextlib import contextmanager

import psycopg
import pytest

from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.prometheus.families import COMMIT_HITS, EVENTS
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.adapters.prometheus.regions import Region
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import NOON, a_hit
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.domain.tracking.engagement import Measure
from footfall.entrypoints.composition.background import Background
from tests.background import in_background
from tests.submissions import one
from tests.waiting import until


@pytest.fixture
async def intake(database_url):
    intake = PostgresIntake(database_url)
    async with in_background(intake=intake.run):
        yield intake


def count(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select count(*) from hit").fetchone()[0]


async def test_a_poisoned_hit_does_not_affect_its_neighbours(intake, database_url):
    hits = [a_hit(visitor_id=number) for number in range(200)]
    hits[77] = a_hit(visitor_id=77, pathname="/\x00")

    outcomes = await asyncio.gather(*(intake.submit(one(hit)) for hit in hits), return_exceptions=True)

    assert [
        number
        for number, outcome in enumerate(outcomes)
        if outcome.outcomes == (AdmissionOutcome.UNSTORABLE,)
    ] == [77]
    assert (
        sum(outcome.outcomes == (AdmissionOutcome.STORED,) for outcome in outcomes)
        == count(database_url)
        == 199
    )


async def test_letters_arrive_whatever_encoding_the_environment_asks_for(database_url, monkeypatch):
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    intake = PostgresIntake(database_url)
    async with in_background(intake=intake.run):
        await intake.submit(one(a_hit(page_title="Über uns ✓")))
    monkeypatch.delenv("PGCLIENTENCODING")
    with psycopg.connect(database_url) as connection:
        assert connection.execute("select page_title from hit").fetchone() == ("Über uns ✓",)


async def test_stored_hits_do_not_stay_in_memory(intake):
    hit = a_hit()
    still_there = weakref.ref(hit)
    await intake.submit(one(hit))

    del hit
    await until(lambda: still_there() is None)


async def test_a_dropped_partition_is_made_again(intake, database_url):
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("drop table hit_202603")

    outcome = await intake.submit(one(a_hit()))

    assert outcome.outcomes == (AdmissionOutcome.STORED,)
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


@pytest.mark.parametrize("monthly_limit", [None, 10])
async def test_a_batch_that_takes_too_long_is_refused_and_not_stored_later(
    intake, database_url, monthly_limit
):
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url) as locked:
        locked.execute("lock table hit")
        with hurry(intake), pytest.raises(StoreUnavailable):
            await intake.submit(one(a_hit(), monthly_limit=monthly_limit))

    await intake.submit(one(a_hit(), monthly_limit=monthly_limit))

    assert count(database_url) == 2


async def test_a_batch_that_takes_too_long_delays_the_next_one_no_further(intake, database_url):
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url) as locked:
        locked.execute("lock table hit")
        with hurry(intake):
            first = asyncio.ensure_future(intake.submit(one(a_hit())))
            await asyncio.sleep(0)
            # Its time is counted from when it is taken up.
            await until(lambda: not intake.waiting())
        second = asyncio.ensure_future(intake.submit(one(a_hit())))
        with pytest.raises(StoreUnavailable):
            await first

    outcome = await second

    assert outcome.outcomes == (AdmissionOutcome.STORED,)
    assert count(database_url) == 2


async def test_an_intake_that_is_stopped_leaves_no_statement_behind(database_url):
    intake = PostgresIntake(database_url)
    background = Background({"intake": intake.run})
    background.start()
    await intake.submit(one(a_hit()))
    with psycopg.connect(database_url) as locked:
        locked.execute("lock table hit")
        submitted = asyncio.ensure_future(intake.submit(one(a_hit())))
        await waiting_for_locks(database_url, 1)

        await background.stop()

        await waiting_for_locks(database_url, 0)
    submitted.cancel()
    assert count(database_url) == 1


@contextmanager
def hurry(intake):
    """Let what is begun meanwhile take two seconds; anything else may take as long as a busy machine needs."""
    patience, intake.patience = intake.patience, 2.0
    yield
    intake.patience = patience


async def waiting_for_locks(url, expected):
    """Return when so many others wait for a lock."""
    waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    with psycopg.connect(url, autocommit=True) as other:
        await until(lambda: other.execute(waiting).fetchone() == (expected,))


async def test_a_store_that_is_away_refuses_at_once():
    intake = PostgresIntake("postgresql://nobody@127.0.0.1:1/nothing")
    async with in_background(intake=intake.run):
        outcomes = await asyncio.gather(
            *(intake.submit(one(a_hit())) for _ in range(10)), return_exceptions=True
        )
    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 10


async def test_a_commit_is_measured_by_its_hits_and_not_by_measures_of_pages(database_url):
    region = Region.private()
    intake = PostgresIntake(database_url, metrics=SharedMetrics(region))
    measure = Measure(site_id=1, pageview_key=5, received_at=NOON, engaged_ms=1000)
    async with in_background(intake=intake.run):
        await intake.submit(one(a_hit(pageview_key=5), measure=measure))
        await intake.submit(one(a_hit(), monthly_limit=10))
        await intake.submit(one(measure))
        await intake.submit(one(measure, monthly_limit=10))

    found = {family: values for family, _, values in region.samples()}
    assert (found[EVENTS], found[COMMIT_HITS][-1]) == ([2], 2)
