"""The stores of cells: their schemas, marks and locks."""

import asyncio

import psycopg
import pytest

from footfall.adapters.postgres.cells.places import (
    IMPORTS_OF_A_CELL,
    PostgresCellTraffic,
    claim,
    require_cell,
    url_of_cell,
)
from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, holding_lock
from footfall.adapters.postgres.database.connections import Connections, connect
from footfall.adapters.postgres.database.migration import missing_migrations
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.system import SystemClock
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import Submission
from footfall.domain.cells.cell import CellRefused
from footfall.domain.tracking.admission import PendingHit
from tests.background import in_background
from tests.histories import hit
from tests.stores.traffic_log import PostgresTrafficLog
from tests.waiting import LONG


def test_a_cell_has_every_table_in_a_schema_of_its_own_and_leaves_others_alone(database_url, west, rows):
    tables = "select tablename from pg_tables where schemaname = '{}' order by 1"

    assert rows(west, "select current_schema()") == [("cell_west",)]
    assert rows(west, tables.format("cell_west")) == rows(west, tables.format("public"))
    assert rows(west, "select cell, mark from cell_mark") == [("west", "mark of west")]
    assert rows(database_url, "select count(*) from cell_mark") == [(0,)]
    assert missing_migrations(west) == []


def test_the_place_of_a_cell_is_known_by_its_mark(database_url, west):
    require_cell(west, "west", "mark of west")

    with pytest.raises(CellRefused, match="the store there is not that of the cell west"):
        require_cell(west, "west", "another mark")
    with pytest.raises(CellRefused, match="no cell east is there"):
        require_cell(url_of_cell("east", database_url), "east", "mark")


def test_a_cell_with_an_older_schema_is_refused_with_the_command_that_helps(west):
    with psycopg.connect(west, autocommit=True) as connection:
        connection.execute(
            "delete from schema_migration where number = (select max(number) from schema_migration)"
        )

    with pytest.raises(CellRefused, match=r"lacks 1 migration\(s\): run footfall cell migrate west"):
        require_cell(west, "west", "mark of west")


def test_a_store_that_was_begun_and_never_used_is_taken_over(west, rows):
    claim(west, "west", "second mark", 1)

    assert rows(west, "select mark from cell_mark") == [("second mark",)]


async def test_a_store_that_has_traffic_is_never_taken_over(west, rows):
    await store(west, hit())

    with pytest.raises(CellRefused, match="the schema cell_west there holds the store of another cell"):
        claim(west, "west", "second mark", 1)

    assert rows(west, "select mark from cell_mark") == [("mark of west",)]


def test_a_server_that_does_not_answer_is_named_without_the_password():
    url = url_of_cell("west", "postgresql://user:hidden@127.0.0.1:1/nothing")

    with pytest.raises(StoreUnavailable) as caught:
        claim(url, "west", "mark", 1)

    assert "hidden" not in str(caught.value)


def test_imports_of_two_cells_have_different_numbers(west, rows):
    [[number]] = rows(
        west,
        "insert into site_import (site_id, format, source_key, source, state, started_at, changed_at)"
        " values (1, 'umami', '', '', 'running', now(), now()) returning import_id",
    )

    assert number == IMPORTS_OF_A_CELL + 1


async def test_cells_of_one_database_do_not_share_locks(database_url, west):
    async with (
        holding_lock(AdvisoryLock.ERASURE, database_url) as main,
        holding_lock(AdvisoryLock.ERASURE, west) as first,
        holding_lock(AdvisoryLock.ERASURE, west) as second,
    ):
        assert (main is not None, first is not None, second is not None) == (True, True, False)


async def test_a_writer_of_one_cell_does_not_keep_readers_of_another_waiting(
    database_url, west, west_connections
):
    await store(west, hit())
    writer = await connect(database_url)
    async with writer, writer.transaction():
        await writer.execute("select hit_partition(now())")
        await writer.execute(
            "insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)"
            " values (1, 1, now(), now(), 'pageview', 'desktop')"
        )

        assert await asyncio.wait_for(PostgresTrafficLog(west_connections).high_water_mark(), LONG) == 1


async def test_recent_events_are_told_by_cell_and_cells_that_are_away_are_left_out(
    connections, west, west_connections
):
    await store(west, *(hit(SystemClock().now()) for _ in range(3)))
    away = Connections("postgresql://127.0.0.1:1/nothing", most=1)
    await away.open()
    stores = {"main": connections, "west": west_connections, "east": away}

    recent = await PostgresCellTraffic(stores, SystemClock()).recent()

    assert recent == {"main": 0, "west": 3}
    await away.close()


async def store(url, *hits):
    """Store hits as the service does."""
    intake = PostgresIntake(url)
    async with in_background(intake=intake.run):
        await intake.submit(Submission(tuple(map(PendingHit, hits))))
