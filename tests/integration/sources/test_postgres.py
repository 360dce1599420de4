"""Reading ahead from PostgreSQL: rows arrive once, whatever ends the reading, and nothing of it stays behind."""

import threading
from urllib.parse import urlencode

import psycopg
import pytest

from footfall.adapters.sources.reading.postgres import PostgresDatabase
from footfall.application.ports.imports import UnreadableSource
from tests.integration.sources.umami_store import WEBSITE, fill
from tests.waiting import wait_until

# More than two fetches.
ROWS = 12_000
PASSWORD = "geheim"


@pytest.fixture
def server(empty_database_url):
    """Return a connection beside the one that reads."""
    fill(empty_database_url, ROWS)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def rows(server):
    parts = psycopg.conninfo.conninfo_to_dict(server.info.dsn)
    name = parts.pop("dbname")
    database = PostgresDatabase("Umami", f"postgresql:///{name}?{urlencode(parts | {'password': PASSWORD})}")
    return database.fetch("umami/events", {"website_id": WEBSITE, "after": None})


def readers(server):
    """Return the processes of the server for other connections."""
    found = server.execute(
        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
    return [pid for (pid,) in found]


def nothing_stays(server):
    """Whether the threads have ended, and soon the connections."""
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("import-ahead")] == []
    return wait_until(lambda: not readers(server))


def test_all_rows_arrive_once_and_in_order(rows, server):
    expected = server.execute(
        "select event_id::text from website_event where website_id = %s order by created_at, event_id",
        (WEBSITE,),
    ).fetchall()

    assert [(row["event_id"],) for row in rows] == expected
    assert nothing_stays(server)


def test_a_server_that_goes_away_is_named_without_its_password(rows, server):
    read = [next(rows)]
    [reader] = readers(server)
    server.execute("select pg_terminate_backend(%s, 10000)", (reader,))

    with pytest.raises(UnreadableSource, match="the database of Umami cannot be read") as refusal:
        read.extend(rows)

    assert PASSWORD not in str(refusal.value)
    assert 0 < len(read) < ROWS
    assert nothing_stays(server)


def test_a_row_that_the_server_cannot_give_ends_the_reading_behind_those_before_it(rows, server):
    server.execute("alter table event_data rename to data_of_events")
    server.execute(
        "create view event_data as select *, 1 / (website_event_id <> md5('e11993')::uuid)::int from data_of_events"
    )
    read = []

    with pytest.raises(UnreadableSource, match="cannot be read: DivisionByZero"):
        read.extend(rows)

    assert len(read) == 10_000
    assert nothing_stays(server)


def test_a_reading_that_is_given_up_leaves_no_connection_and_no_thread(rows, server):
    next(rows)
    assert len(readers(server)) == 1

    rows.close()

    assert nothing_stays(server)
