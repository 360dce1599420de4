"""COPY by the calls of libpq: how it ends, and what becomes of the connection."""

import asyncio

import psycopg
import pytest
from psycopg import errors

from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.intake.libpq_copy import PIECE_BYTES, CopyIn
from tests.waiting import LONG, until

COPY = b"copy thing (name) from stdin"


@pytest.fixture
def other(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as other:
        other.execute("create table thing (name text check (name <> 'refused'))")
        yield other


@pytest.fixture
async def connection(empty_database_url, other):  # noqa: ARG001 - it has made the table
    connection = await connect(empty_database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def copy_in(connection):
    with CopyIn(connection) as copy_in:
        yield copy_in


@pytest.fixture
def locked(empty_database_url, other):  # noqa: ARG001 - it has made the table
    """Hold a lock on the table for as long as the test lasts."""
    with psycopg.connect(empty_database_url) as locked:
        locked.execute("lock table thing")
        yield locked
        locked.rollback()


async def names(connection):
    return [row["name"] for row in await (await connection.execute("select name from thing")).fetchall()]


async def test_rows_are_committed_when_it_returns(copy_in, other):
    await copy_in.copy(COPY, b"one\ntwo\n")

    assert other.execute("select name from thing").fetchall() == [("one",), ("two",)]


async def test_rows_of_many_pieces_arrive_whole(connection, copy_in):
    expected = [f"{number:07}" * 20 for number in range(20 * PIECE_BYTES // 141)]

    await copy_in.copy(COPY, "".join([f"{name}\n" for name in expected]).encode())

    assert await names(connection) == expected


async def test_a_server_that_has_much_to_say_meanwhile_takes_all_rows(connection, copy_in, other):
    other.execute(
        "create function warn() returns trigger language plpgsql as"
        " $$ begin raise warning '%', repeat('w', 8000); return new; end $$"
    )
    other.execute("create trigger warn before insert on thing for each row execute function warn()")

    async with asyncio.timeout(LONG):
        await copy_in.copy(COPY, b"%b\n" % (b"x" * 8_000) * 2_000)

    assert len(await names(connection)) == 2_000


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (b"fine\nrefused\n", errors.CheckViolation),
        (b"fine\n\xff\n", errors.CharacterNotInRepertoire),
        (b"fine\nof two\tcolumns\n", errors.BadCopyFileFormat),
        (b"\xff\n" + b"fine\n" * PIECE_BYTES, psycopg.DataError),
    ],
)
async def test_rows_that_are_refused_leave_nothing_behind_and_a_usable_connection(
    connection, copy_in, rows, error
):
    with pytest.raises(error):
        await copy_in.copy(COPY, rows)
    await copy_in.copy(COPY, b"next\n")

    assert await names(connection) == ["next"]


async def test_a_statement_that_is_refused_leaves_a_usable_connection(connection, copy_in):
    with pytest.raises(errors.UndefinedTable):
        await copy_in.copy(b"copy nothing from stdin", b"one\n")
    await copy_in.copy(COPY, b"next\n")

    assert await names(connection) == ["next"]


async def test_rows_belong_to_the_transaction_that_has_begun(connection, copy_in):
    async with connection.transaction(force_rollback=True):
        await copy_in.copy(COPY, b"one\n")
        within = await names(connection)

    assert (within, await names(connection)) == (["one"], [])


async def test_a_transaction_in_which_rows_were_refused_can_be_rolled_back(connection, copy_in):
    async with connection.transaction(force_rollback=True):
        await copy_in.copy(COPY, b"one\n")
        with pytest.raises(errors.CheckViolation):
            await copy_in.copy(COPY, b"refused\n")

    assert await names(connection) == []


async def test_the_driver_and_copy_take_turns(connection, copy_in):
    for number in range(5):
        await copy_in.copy(COPY, b"%d\n" % number)
        async with connection.transaction():
            await connection.execute("insert into thing values ('driver')")
            await copy_in.copy(COPY, b"within\n")

    assert sorted(await names(connection)) == [*"01234", *["driver"] * 5, *["within"] * 5]


async def test_an_idle_connection_is_watched_until_it_is_cut(connection, copy_in, other):
    await copy_in.copy(COPY, b"one\n")
    while_it_is_idle = copy_in.watching
    other.execute("select pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))

    await until(lambda: not copy_in.watching)

    assert while_it_is_idle


async def test_a_connection_that_was_cut_is_an_operational_error(connection, copy_in, other):
    other.execute("select pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))

    with pytest.raises(psycopg.OperationalError):
        await copy_in.copy(COPY, b"one\n")

    assert connection.closed


@pytest.mark.usefixtures("locked")
async def test_a_connection_that_is_cut_while_it_waits_is_an_operational_error(connection, copy_in, other):
    copying = asyncio.ensure_future(copy_in.copy(COPY, b"one\n"))
    await waits_for_a_lock(other, connection.info.backend_pid)

    other.execute("select pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))

    with pytest.raises(psycopg.OperationalError):
        await copying
    assert connection.closed


async def test_a_cancelled_copy_is_not_stored_later(connection, copy_in, locked, other):
    pid = connection.info.backend_pid
    copying = asyncio.ensure_future(copy_in.copy(COPY, b"one\n"))
    await waits_for_a_lock(other, pid)

    copying.cancel()

    with pytest.raises(asyncio.CancelledError):
        await copying
    await is_gone(other, pid)
    locked.rollback()
    assert connection.closed
    assert other.execute("select name from thing").fetchall() == []


async def waits_for_a_lock(other, pid):
    waits = "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s"
    await until(lambda: other.execute(waits, (pid,)).fetchone() == (True,))


async def is_gone(other, pid):
    there = "select from pg_stat_activity where pid = %s"
    await until(lambda: other.execute(there, (pid,)).fetchone() is None)
