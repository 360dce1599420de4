"""Commits whose end is not heard: a store that stops, an answer that is lost, a standby that does not confirm."""

import asyncio
import contextlib
import signal
import tempfile
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.migration import migrate
from footfall.adapters.postgres.intake.intake import ANSWER_SECONDS, PostgresIntake
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import CommitUnknown, OutcomeKey
from footfall.domain.examples import NOON, a_hit
from footfall.domain.tracking.admission import AdmissionOutcome
from footfall.domain.tracking.idempotency import IdempotencyKey
from tests.background import in_background
from tests.processes import children_of, signal_all
from tests.servers.deaf_way import DeafWay
from tests.stores.folders import folder_of_stores
from tests.submissions import one
from tests.waiting import LONG, until, wait_until

PATIENCE = 3.0
NAMED = {"idempotency": IdempotencyKey(1, "order-1", b"says")}
# Each test waits as long as the intake has patience; what has a limit is stored in the way of what has a name.
WAYS = pytest.mark.parametrize(
    "attributes",
    [
        pytest.param({}, id="copy"),
        pytest.param(NAMED, id="name"),
        pytest.param({"monthly_limit": 9}, id="limit", marks=pytest.mark.slow),
    ],
)


@pytest.fixture(scope="module")
def server():
    """A server of this module alone, which may be stopped and configured."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-doubt-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        migrate(server.url)
        yield server


@pytest.fixture
def superuser(server):
    with psycopg.connect(make_conninfo(server.url, user="postgres"), autocommit=True) as superuser:
        superuser.execute("truncate idempotency, pageview_quota, ingestion_outcome")
        with superuser.transaction():
            superuser.execute("set local footfall.erasing = 'on'")
            superuser.execute("delete from hit")
        # To make a partition is a commit of its own.
        superuser.execute("select hit_partition('2026-03-01Z')")
        yield superuser


@pytest.fixture
def no_standby(server, superuser):
    """A standby is asked for that does not exist, for as long as the test lasts or until the function is called."""

    def ask_for(names):
        superuser.execute(f"alter system set synchronous_standby_names = '{names}'")
        superuser.execute("select pg_reload_conf()")

    ask_for("nowhere")
    wait_until(lambda: a_commit_waits(server, superuser))
    yield lambda: ask_for("")
    ask_for("")


def a_commit_waits(server, superuser):
    """Whether the server has heard already that commits wait; the setting itself is seen before."""
    with contextlib.closing(psycopg.connect(server.url, autocommit=True)) as probe:
        probe.pgconn.send_query(
            b"insert into hit_import (site_id, source, position) values (1, gen_random_uuid()::text, 0)"
        )
        of_probe = "select wait_event, state from pg_stat_activity where pid = %s"
        while (seen := superuser.execute(of_probe, (probe.info.backend_pid,)).fetchone()) != (
            "SyncRep",
            "active",
        ):
            if seen[1] == "idle":
                return False
        superuser.execute("select pg_terminate_backend(%s, 5000)", (probe.info.backend_pid,))
    return True


@contextlib.asynccontextmanager
async def writing(url):
    intake = PostgresIntake(url, patience=30)
    async with in_background(intake=intake.run):
        yield intake


@contextlib.contextmanager
def hurry(intake):
    """Let what is submitted meanwhile be given up soon; anything else may take as long as a busy machine needs."""
    patience, intake.patience = intake.patience, PATIENCE
    yield
    intake.patience = patience


def stored(superuser):
    return superuser.execute("select count(*) from hit").fetchone()[0]


def waiting_for_a_standby(superuser):
    waiting = (
        "select pid from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'footfall'"
    )
    return [pid for (pid,) in superuser.execute(waiting)]


@pytest.mark.usefixtures("no_standby")
@WAYS
async def test_a_cancelled_wait_for_a_standby_is_never_an_acknowledgement(server, superuser, attributes):
    async with writing(server.url) as intake:
        submitted = asyncio.ensure_future(intake.submit(one(a_hit(), **attributes)))
        await until(lambda: waiting_for_a_standby(superuser))
        superuser.execute("select pg_cancel_backend(%s)", waiting_for_a_standby(superuser))

        with pytest.raises(CommitUnknown) as unknown:
            await submitted

    assert unknown.value.stored == [True]
    assert await unknown.value.committed
    assert stored(superuser) == 1


@pytest.mark.usefixtures("no_standby")
async def test_a_session_that_is_ended_while_it_waits_for_a_standby_is_never_an_acknowledgement(
    server, superuser
):
    async with writing(server.url) as intake:
        submitted = asyncio.ensure_future(intake.submit(one(a_hit())))
        await until(lambda: waiting_for_a_standby(superuser))
        superuser.execute("select pg_terminate_backend(%s)", waiting_for_a_standby(superuser))

        with pytest.raises(CommitUnknown) as unknown:
            await submitted
        async with asyncio.timeout(LONG):
            assert await unknown.value.committed

    assert stored(superuser) == 1


@WAYS
async def test_a_wait_for_a_standby_ends_with_the_deadline_and_leaves_no_session(
    server, superuser, no_standby, attributes
):
    async with writing(server.url) as intake:
        with hurry(intake), pytest.raises(CommitUnknown) as unknown:
            await intake.submit(one(a_hit(), **attributes))
        async with asyncio.timeout(LONG):
            committed = await unknown.value.committed
        left = waiting_for_a_standby(superuser)
        no_standby()
        await until(lambda: not a_commit_waits(server, superuser))
        again = await intake.submit(one(a_hit(), **NAMED)) if attributes is NAMED else None

    assert (committed, left) == (True, [])
    assert stored(superuser) == 1
    assert again is None or again.outcomes == (AdmissionOutcome.REPLAYED,)


@pytest.mark.usefixtures("no_standby")
async def test_no_other_commit_is_taken_for_one_that_a_standby_has_not_confirmed(server, superuser):
    connections = Connections(server.url)
    await connections.open()

    async def lay_down():
        async with connections.connection() as connection:
            await connection.execute("insert into rate_window values (77, '{}') on conflict do nothing")

    laying = asyncio.ensure_future(lay_down())
    await until(lambda: waiting_for_a_standby(superuser))
    superuser.execute("select pg_cancel_backend(%s)", waiting_for_a_standby(superuser))

    with pytest.raises(StoreUnavailable):
        await laying
    async with connections.connection() as connection:
        assert await (await connection.execute("select 1")).fetchone()
    await connections.close()


async def test_other_warnings_do_not_put_a_commit_in_doubt(server, superuser):
    superuser.execute(
        "create function warn() returns trigger language plpgsql as"
        " $$ begin raise warning 'vacuum'; return null; end $$"
    )
    superuser.execute("create trigger warn after insert on hit for each statement execute function warn()")

    async with writing(server.url) as intake:
        admission = await intake.submit(one(a_hit()))

    superuser.execute("drop function warn() cascade")
    assert admission.outcomes == (AdmissionOutcome.STORED,)


@WAYS
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(True, id="new connection", marks=pytest.mark.slow),
        pytest.param(False, id="open connection"),
    ],
)
async def test_a_store_that_stops_before_it_has_read_an_event_never_stores_it(
    server, superuser, attributes, first
):
    async with writing(server.url) as intake:
        if not first:
            await intake.submit(one(a_hit()))
        before = stored(superuser)
        with stopped(server):
            began = asyncio.get_running_loop().time()
            with hurry(intake), pytest.raises(StoreUnavailable):
                await intake.submit(one(a_hit(), **attributes))
            took = asyncio.get_running_loop().time() - began
        after = await intake.submit(one(a_hit()))

    # The store is stopped until the event is refused.
    assert took < PATIENCE + LONG
    assert after.outcomes == (AdmissionOutcome.STORED,)
    assert stored(superuser) == before + 1


@contextlib.contextmanager
def stopped(server):
    postmaster = find_postmaster(server.data_directory)
    processes = [postmaster, *children_of(postmaster)]
    signal_all(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        signal_all(processes, signal.SIGCONT)


@pytest.fixture
def deaf(server):
    """A way to the server whose answers can be lost."""
    with tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-deaf-") as folder:
        host = psycopg.conninfo.conninfo_to_dict(server.url)["host"]
        yield DeafWay(folder, f"{host}/.s.PGSQL.5432")


@WAYS
@pytest.mark.parametrize("cuts", [True, False], ids=["cut", "silent"])
async def test_an_event_whose_commit_was_not_heard_is_known_to_be_stored_and_repeated_once(
    server, superuser, deaf, attributes, cuts
):
    deaf.cuts = cuts
    async with deaf, writing(make_conninfo(server.url, host=deaf.path)) as intake:
        await intake.submit(one(a_hit()))
        deaf.loses = b"COMMIT\0" if attributes else b"COPY 1\0"
        with hurry(intake), pytest.raises(CommitUnknown) as unknown:
            await intake.submit(one(a_hit(), **attributes))
        deaf.loses = None
        async with asyncio.timeout(LONG):
            committed = await unknown.value.committed
        again = await intake.submit(one(a_hit(), **NAMED)) if attributes is NAMED else None

    assert committed
    assert stored(superuser) == 2
    assert again is None or again.outcomes == (AdmissionOutcome.REPLAYED,)


async def test_an_event_whose_rows_never_arrived_whole_is_known_not_to_be_stored(server, superuser, deaf):
    deaf.cuts = True
    async with deaf, writing(make_conninfo(server.url, host=deaf.path)) as intake:
        await intake.submit(one(a_hit()))
        # The answer of the rows, before the commit is asked for.
        deaf.loses = b"COPY 1\0"
        with pytest.raises(CommitUnknown) as unknown:
            await intake.submit(one(a_hit(), **NAMED))
        deaf.loses = None
        async with asyncio.timeout(LONG):
            committed = await unknown.value.committed
        again = await intake.submit(one(a_hit(), **NAMED))

    assert not committed
    assert again.outcomes == (AdmissionOutcome.STORED,)
    assert stored(superuser) == 2


async def test_only_storable_events_of_a_request_in_doubt_are_in_doubt(server, superuser, deaf):
    deaf.cuts = True
    async with deaf, writing(make_conninfo(server.url, host=deaf.path)) as intake:
        await intake.submit(one(a_hit(), **NAMED))
        deaf.loses = b"COMMIT\0"
        mixed = one(a_hit())
        mixed.pending += one(a_hit(), **NAMED).pending
        replay = one(a_hit(), **NAMED)
        failures = await asyncio.gather(*map(intake.submit, (mixed, replay)), return_exceptions=True)

    assert [type(failure) for failure in failures] == [CommitUnknown, StoreUnavailable]
    assert failures[0].stored == [True, False]
    assert stored(superuser) == 2


async def test_a_request_that_waited_too_long_is_refused_without_being_tried(server, superuser):
    async with writing(server.url) as intake:
        await intake.submit(one(a_hit()))
        with psycopg.connect(server.url) as locked:
            locked.execute("lock table hit")
            began = asyncio.get_running_loop().time()
            submitted = [asyncio.ensure_future(intake.submit(one(a_hit()))) for _ in range(5)]
            failures = await asyncio.gather(*submitted, return_exceptions=True)
            took = asyncio.get_running_loop().time() - began

    assert {type(failure) for failure in failures} == {StoreUnavailable}
    # It would have been given up after half a minute.
    assert took < ANSWER_SECONDS + 10
    assert stored(superuser) == 1


@pytest.mark.parametrize("end", ["pg_terminate_backend", "pg_cancel_backend"])
async def test_refusals_whose_commit_was_not_heard_are_counted_once(server, superuser, no_standby, end):
    connections = Connections(server.url)
    await connections.open()
    outcomes = OutcomeCounter(PostgresOutcomeLedger(connections))
    outcomes.count(OutcomeKey(1, "bot"), NOON)
    flushing = asyncio.ensure_future(outcomes.flush())
    await until(lambda: waiting_for_a_standby(superuser))
    superuser.execute(f"select {end}(%s)", waiting_for_a_standby(superuser))
    with pytest.raises(StoreUnavailable):
        await flushing
    no_standby()
    await until(lambda: not a_commit_waits(server, superuser))
    outcomes.count(OutcomeKey(1, "bot"), NOON)
    await outcomes.flush()
    await connections.close()

    assert superuser.execute("select sum(events) from ingestion_outcome").fetchone() == (2,)


async def test_refusals_whose_commit_failed_are_counted_by_the_next_flush(server, superuser):
    connections = Connections(server.url)
    await connections.open()
    outcomes = OutcomeCounter(PostgresOutcomeLedger(connections))
    outcomes.count(OutcomeKey(1, "bot"), NOON)
    with psycopg.connect(server.url) as other:
        other.execute("lock table ingestion_outcome in access exclusive mode")
        flushing = asyncio.ensure_future(outcomes.flush())
        await until(lambda: waiting_for_a_lock(superuser))
        superuser.execute("select pg_terminate_backend(%s)", waiting_for_a_lock(superuser))
        with pytest.raises(StoreUnavailable):
            await flushing
    await outcomes.flush()
    await connections.close()

    assert superuser.execute("select sum(events) from ingestion_outcome").fetchone() == (1,)


def waiting_for_a_lock(superuser):
    waiting = (
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'footfall'"
    )
    return [pid for (pid,) in superuser.execute(waiting)]
