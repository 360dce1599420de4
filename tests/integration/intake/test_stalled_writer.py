"""A writer that stalls in the middle of its transaction must not take the others with it."""

import asyncio
import logging

import psycopg
import pytest

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.adapters.postgres.maintenance.imports import PostgresImports
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.application.journal.event_codec import EventCodec
from footfall.application.ports.imports import LedgerKey
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import NOON, a_hit
from tests.background import in_background
from tests.stores.traffic_log import PostgresTrafficLog
from tests.submissions import one
from tests.waiting import until

INSERT = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)
    values (1, 1, '2026-03-14', '2026-03-14', 'pageview', 'desktop')
"""


async def test_writers_are_not_blocked_by_a_reader_of_the_horizon(database_url):
    intake, connections = PostgresIntake(database_url), Connections(database_url)
    async with in_background(intake=intake.run):
        await connections.open()
        await intake.submit(one(a_hit()))

        with psycopg.connect(database_url) as stalled:
            stalled.execute(INSERT)
            asking = asyncio.ensure_future(PostgresTrafficLog(connections).high_water_mark())
            # It gives up after half a second.
            await until(lambda: asking.done() or waiting_for_a_lock(database_url))
            # The intake itself waits no longer than its deadline.
            await intake.submit(one(a_hit()))
            with pytest.raises(StoreUnavailable):
                await asking
    await connections.close()


async def test_a_projector_that_waits_for_a_writer_says_so_without_a_warning(database_url, caplog):
    intake, projector = PostgresIntake(database_url), Projector(database_url, GoalVersions(EventCodec()))
    async with in_background(intake=intake.run):
        await intake.submit(one(a_hit()))
    caplog.set_level(logging.INFO, logger="footfall.adapters.postgres.projections")
    with psycopg.connect(database_url) as stalled:
        stalled.execute(INSERT)
        async with in_background(projector=projector.run):
            await until(lambda: caplog.records)

    assert all(one.exc_info is None for one in caplog.records)
    assert {(one.levelname, one.getMessage()) for one in caplog.records} == {
        ("INFO", "projections wait for a transaction that writes to the traffic log")
    }


async def test_an_import_is_taken_back_when_a_writer_that_took_its_time_has_committed(stored):
    imports = PostgresImports(stored.connections)
    begun = await imports.begin(1, AccessLog(), now=NOON)
    counts = {LedgerKey(f"{NOON:%Y-%m-%d}", "pageview", ""): 1}
    record = await imports.store(begun, [a_hit(occurred_at=NOON)], mark="m", counts=counts, now=NOON)
    with psycopg.connect(stored.url) as writer:
        writer.execute("alter function hit_high_water_mark() set lock_timeout = '10ms'")
        writer.commit()
        writer.execute(INSERT)
        undoing = asyncio.ensure_future(
            imports.undo(record, project=stored.projector.catch_up, advance=lambda _: None)
        )
        # Many times as long as one question waits for the lock.
        await asyncio.wait([undoing], timeout=0.5)
        waited = not undoing.done()
    await undoing

    assert waited
    assert await imports.all() == []


class AccessLog:
    """A source in name only."""

    format, key, description = "access-log", "", "access.log"


def waiting_for_a_lock(url):
    waiting = (
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    with psycopg.connect(url) as looking:
        return looking.execute(waiting).fetchall()
