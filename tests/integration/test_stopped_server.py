"""A server that stops in the middle of its work: each wait for it ends, and the pool serves again when it goes on."""

import asyncio
import contextlib
import signal
import tempfile
from pathlib import Path

import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from footfall.adapters.postgres.database.connections import CONNECT_SECONDS, Connections
from footfall.application.ports.journal import StoreUnavailable
from tests.processes import children_of, signal_all
from tests.stores.folders import folder_of_stores

ANSWER_SECONDS = 0.5
# A busy machine may be late by this much; without a limit each wait would have no end.
SLACK_SECONDS = 20.0


@pytest.fixture(scope="module")
def server():
    """A server of this module alone, which may be stopped."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-stop-") as folder,
        EmbeddedPostgres(Path(folder)) as server,
    ):
        yield server


@pytest.fixture
async def connections(server):
    connections = Connections(server.url, most=2, answer_seconds=ANSWER_SECONDS)
    await connections.open()
    await answer(connections)
    yield connections
    await connections.close()


@contextlib.contextmanager
def stopped(server):
    postmaster = find_postmaster(server.data_directory)
    processes = [postmaster, *children_of(postmaster)]
    signal_all(processes, signal.SIGSTOP)
    try:
        yield
    finally:
        signal_all(processes, signal.SIGCONT)


async def answer(connections):
    async with connections.connection() as connection:
        [row] = await (await connection.execute("select 1 as one")).fetchall()
        return row["one"]


async def seconds_until_refused(asking):
    began = asyncio.get_running_loop().time()
    with pytest.raises(StoreUnavailable):
        await asking
    return asyncio.get_running_loop().time() - began


async def test_a_statement_that_a_stopped_server_does_not_answer_is_refused_in_time(server, connections):
    async def statement():
        async with connections.connection() as connection:
            with stopped(server):
                await connection.execute("select 1")

    took = await seconds_until_refused(statement())

    assert took < ANSWER_SECONDS + SLACK_SECONDS


async def test_a_transaction_that_a_stopped_server_does_not_end_is_refused_in_time(server, connections):
    async def transaction():
        async with connections.connection() as connection, connection.transaction():
            await connection.execute("select 1")
            with stopped(server):
                await connection.execute("select 1")

    took = await seconds_until_refused(transaction())

    assert took < ANSWER_SECONDS + SLACK_SECONDS


async def test_no_connection_of_a_stopped_server_is_lent(server, connections):
    with stopped(server):
        took = await asyncio.gather(*[seconds_until_refused(answer(connections)) for _ in range(5)])

    assert max(took) < CONNECT_SECONDS + SLACK_SECONDS


async def test_a_pool_serves_again_when_its_server_goes_on(server, connections):
    with stopped(server):
        await seconds_until_refused(answer(connections))

    assert await until_served(connections) == 1


async def test_a_statement_that_takes_as_long_as_the_limit_of_a_check_is_answered_without_a_limit(server):
    connections = Connections(server.url, most=1)
    await connections.open()

    async with connections.connection() as connection:
        [row] = await (
            await connection.execute("select pg_sleep(%s), 1 as one", (CONNECT_SECONDS + 0.5,))
        ).fetchall()
    await connections.close()

    assert row["one"] == 1


async def until_served(connections):
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(StoreUnavailable):
                return await answer(connections)
