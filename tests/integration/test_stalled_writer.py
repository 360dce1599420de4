"""A writer that stalls in the middle of its transaction must not take the others with it."""

import asyncio

import psycopg
import pytest

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.intake import PostgresIntake
from footfall.adapters.postgres.traffic_log import PostgresTrafficLog
from footfall.application.ports import StoreUnavailable
from footfall.domain.examples import a_hit
from footfall.entrypoints.background import Background
from tests.submissions import one
from tests.waiting import until

INSERT = """
    insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)
    values (1, 1, '2026-03-14', '2026-03-14', 'pageview', 'desktop')
"""


async def test_others_go_on_writing_although_a_reader_asks_for_the_horizon(database_url):
    intake, connections = PostgresIntake(database_url), Connections(database_url)
    background = Background({"intake": intake.run})
    background.start()
    await connections.open()
    await intake.submit(one(a_hit()))

    with psycopg.connect(database_url) as stalled:
        stalled.execute(INSERT)
        asking = asyncio.ensure_future(PostgresTrafficLog(connections).horizon())
        # It gives up after half a second.
        await until(lambda: asking.done() or waiting_for_a_lock(database_url))
        # The intake itself waits no longer than ten seconds.
        await intake.submit(one(a_hit()))
        with pytest.raises(StoreUnavailable):
            await asking

    await background.stop()
    await connections.close()


def waiting_for_a_lock(url):
    waiting = (
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    with psycopg.connect(url) as looking:
        return looking.execute(waiting).fetchall()
