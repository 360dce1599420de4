"""A failover: the primary is killed, its standby takes over, and everything that connects finds it."""

import asyncio
import contextlib

import psycopg
import pytest

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.database.migration import migrate, missing_migrations
from footfall.adapters.postgres.intake.doubtful_transactions import Doubts
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.examples import NOON, a_hit
from tests.background import in_background
from tests.servers.replication import replicating
from tests.submissions import one
from tests.waiting import until, wait_until

SECONDS = 15
WAITING = "select backend_xid::text from pg_stat_activity where wait_event = 'SyncRep'"


@pytest.fixture
def pair():
    with replicating() as pair:
        migrate(pair.url + "?target_session_attrs=read-write")
        yield pair


@pytest.fixture
def url(pair):
    return pair.url + "?target_session_attrs=read-write"


@contextlib.asynccontextmanager
async def pool_of(url):
    connections = Connections(url, most=1)
    await connections.open()
    yield connections
    await connections.close()


async def write(connections):
    async with connections.connection() as connection:
        await connection.execute(
            "insert into rate_window values (77, '{}') on conflict (key_id) do update set admitted = '{}'"
        )


async def succeeds(work):
    """Repeat the work until the store is available."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                return await work()
            except StoreUnavailable:
                await asyncio.sleep(0.05)


async def acquired(url):
    async with holding_lock(AdvisoryLock.RETENTION, url) as connection:
        return connection is not None


@pytest.mark.slow
async def test_pool_listener_intake_and_locks_find_the_new_primary(pair, url):
    listener, intake = Listener(url), PostgresIntake(url)
    async with pool_of(url) as connections, in_background(listener=listener.run, intake=intake.run):
        await write(connections)
        await intake.submit(one(a_hit()))
        await listener.wait(within=SECONDS)
        # The lock of the lost connection cannot be released any more.
        with contextlib.suppress(StoreUnavailable):
            async with holding_lock(AdvisoryLock.RETENTION, url):
                pair.fail_over()
                await succeeds(lambda: write(connections))

                assert await succeeds(lambda: acquired(url))

        # The listener reports its new connection, because appends may have been missed.
        await listener.wait(within=SECONDS)
        admission = await succeeds(lambda: intake.submit(one(a_hit())))
        listening = asyncio.ensure_future(notified(listener))
        await until(lambda: listens(pair.standby), seconds=SECONDS)
        pair.standby.execute("notify footfall_event")
        assert await listening

    assert admission
    assert missing_migrations(url) == []
    assert pair.standby.execute("select count(*) from hit") == [(2,)]


async def notified(listener):
    loop = asyncio.get_running_loop()
    began = loop.time()
    await listener.wait(within=SECONDS)
    return loop.time() - began < SECONDS


def listens(server):
    return server.execute(
        "select pid from pg_stat_activity where query like '%listen footfall_event%' and pid <> pg_backend_pid()"
    )


@pytest.fixture
def lagging(pair):
    """A pair whose standby receives nothing any more, while the commits of the primary wait for it."""
    pair.standby.execute("alter system set primary_conninfo = ''")
    pair.standby.execute("select pg_reload_conf()")
    wait_until(lambda: not pair.primary.execute("select pid from pg_stat_replication"))
    return pair


def use_transaction_ids(server, last):
    """Commit transactions on a server until the numbers up to the last one are used."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        while connection.execute("select pg_current_xact_id()::text::bigint").fetchone()[0] < last:
            pass
        status = connection.execute("select pg_xact_status(%s::text::xid8)", [str(last)]).fetchone()
    assert status == ("committed",)


@pytest.mark.slow
async def test_a_lost_transaction_is_not_taken_for_one_of_the_new_primary_with_its_number(lagging, url):
    hit = a_hit()
    intake = PostgresIntake(lagging.primary.url)
    async with in_background(intake=intake.run):
        submitted = asyncio.ensure_future(intake.submit(one(hit)))
        [(lost,)] = await until(lambda: lagging.primary.execute(WAITING))
        lagging.fail_over()
        with pytest.raises(StoreUnavailable):
            await submitted
    use_transaction_ids(lagging.standby, int(lost))
    doubts = Doubts(url)

    async with asyncio.timeout(SECONDS):
        committed = await doubts.settle(lost, hit)

    assert not committed
    assert lagging.standby.execute("select count(*) from hit") == [(0,)]


@pytest.mark.slow
async def test_counts_that_were_lost_are_added_to_the_new_primary(lagging, url):
    async with pool_of(url) as connections:
        outcomes = OutcomeCounter(PostgresOutcomeLedger(connections))
        outcomes.count(OutcomeKey(1, "bot"), NOON)
        flushing = asyncio.ensure_future(outcomes.flush())
        [(lost,)] = await until(lambda: lagging.primary.execute(WAITING))
        lagging.fail_over()
        with pytest.raises(StoreUnavailable):
            await flushing
        use_transaction_ids(lagging.standby, int(lost))

        await succeeds(outcomes.flush)

    assert lagging.standby.execute("select sum(events)::int from ingestion_outcome") == [(1,)]


@pytest.mark.slow
async def test_a_connection_to_a_server_that_became_read_only_is_not_used_again(pair):
    primary = pair.primary
    several = primary.url + "?target_session_attrs=read-write"
    async with pool_of(primary.url) as plain, pool_of(several) as asking:
        before = [await backend(plain), await backend(asking)]
        read_only(primary, "on")
        with pytest.raises(StoreUnavailable):
            await write(plain)
        with pytest.raises(StoreUnavailable):
            await backend(asking)
        read_only(primary, "off")
        after = [await succeeds(lambda: backend(plain)), await succeeds(lambda: backend(asking))]

    assert not {*before} & {*after}


async def backend(connections):
    async with connections.connection() as connection:
        return connection.info.backend_pid


def read_only(server, value):
    server.execute(f"alter system set default_transaction_read_only = {value}")
    server.execute("select pg_reload_conf()")
    wait_until(lambda: server.execute("show default_transaction_read_only") == [(value,)])
