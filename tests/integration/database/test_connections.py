"""Connections: what they set for the service's statements, and what they ask of a server at their start."""

import asyncio
import struct
import time

import psycopg
import pytest
from psycopg import OperationalError
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.application.ports.journal import StoreUnavailable

# What PgBouncer accepts in the startup of a connection, with its default configuration.
ACCEPTED = {
    "user",
    "database",
    "client_encoding",
    "datestyle",
    "timezone",
    "standard_conforming_strings",
    "application_name",
}
NEEDED = {
    "jit": "off",
    "TimeZone": "UTC",
    "DateStyle": "ISO, MDY",
    "IntervalStyle": "postgres",
    "extra_float_digits": "1",
    "statement_timeout": "0",
    "client_min_messages": "warning",
}
SHOW = "select name, current_setting(name) as value from unnest(%s::text[]) as name"


@pytest.fixture
def hostile_database(database_url):
    """A database whose settings are not what the service needs."""
    name = conninfo_to_dict(database_url)["dbname"]
    with psycopg.connect(database_url, autocommit=True) as connection:
        for setting in (
            "jit = on",
            "timezone = 'Asia/Kathmandu'",
            "datestyle = 'German, DMY'",
            "intervalstyle = 'sql_standard'",
            "extra_float_digits = -3",
            "statement_timeout = '3s'",
            "work_mem = '77MB'",
        ):
            connection.execute(f"alter database {name} set {setting}")
    return database_url


async def test_a_connection_has_the_settings_that_statements_need_whatever_the_database_says(
    hostile_database,
):
    connection = await connect(hostile_database)

    rows = await (await connection.execute(SHOW, (list(NEEDED),))).fetchall()
    await connection.close()

    assert {row["name"]: row["value"] for row in rows} == NEEDED


async def test_a_pooled_connection_has_the_settings_of_statements_and_keeps_those_of_an_operator(
    hostile_database,
):
    pool = Connections(hostile_database)
    await pool.open()

    async with pool.connection() as connection:
        rows = await (await connection.execute(SHOW, ([*NEEDED, "work_mem"],))).fetchall()
    await pool.close()

    assert {row["name"]: row["value"] for row in rows} == {**NEEDED, "work_mem": "77MB"}


async def test_settings_that_an_operator_has_not_changed_come_from_the_service(database_url):
    with psycopg.connect(database_url) as stock:
        configured = stock.execute(
            "select setting from pg_settings where name = 'random_page_cost' and source <> 'default'"
        ).fetchone()
    connection = await connect(database_url)

    found = await (await connection.execute("select current_setting('random_page_cost') as value")).fetchone()
    await connection.close()

    assert found["value"] == (configured[0] if configured else "1.1")


async def test_a_connection_starts_without_options_that_poolers_refuse():
    startup = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(lambda *streams: _read_startup(startup, *streams), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    with pytest.raises(StoreUnavailable):
        await connect(f"postgresql://someone@127.0.0.1:{port}/db?sslmode=disable&gssencmode=disable")
    server.close()

    assert set(await startup) <= ACCEPTED


async def test_an_answer_that_arrived_while_this_process_stalled_is_in_time(database_url):
    connection = await connect(database_url)
    connection.answer_seconds = 0.2

    first = asyncio.create_task(connection.execute("select pg_sleep(0.1)"))
    await asyncio.sleep(0.05)
    # As on a machine under load, or behind work that does not yield: the answer and the end of the wait come together.
    time.sleep(0.5)  # noqa: ASYNC251 - the stall itself
    await first
    rows = await (await connection.execute("select 1 as one")).fetchall()
    await connection.close()

    assert rows == [{"one": 1}]


async def test_a_server_that_stops_in_the_middle_of_an_answer_is_left(database_url):
    connection = await connect(database_url)
    connection.answer_seconds = 0.2
    # More than the buffers hold, and then nothing for a while.
    half = (
        "select repeat('x', 100_000), case when n = 20 then pg_sleep(30) end from generate_series(1, 20) as n"
    )

    with pytest.raises(OperationalError):
        await connection.execute(half)

    assert connection.closed


async def _read_startup(startup, reader, writer):
    [length, _protocol] = struct.unpack("!II", await reader.readexactly(8))
    words = (await reader.readexactly(length - 8)).split(b"\0")
    startup.set_result([name.decode() for name in words[::2] if name])
    writer.close()
