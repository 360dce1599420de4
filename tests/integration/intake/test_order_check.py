"""The check that readers of the traffic log wait for its writers, and partitions that are made ahead of time."""

from datetime import UTC, datetime

import psycopg

from footfall.adapters.postgres.intake.order_guard import order_is_guarded
from footfall.adapters.postgres.intake.partitions import make_partitions_ahead
from footfall.domain.examples import NOON

UNGUARDED = "create or replace function lock_traffic() returns trigger language plpgsql as $$ begin return null; end $$"
PARTITIONS = "select inhrelid::regclass::text from pg_inherits where inhparent = 'hit'::regclass order by 1"


async def test_a_log_whose_readers_wait_for_writers_is_guarded_and_the_check_leaves_no_row(database_url):
    assert await order_is_guarded(database_url, NOON)

    with psycopg.connect(database_url) as connection:
        assert connection.execute("select count(*) from hit").fetchone() == (0,)
        assert connection.execute("select count(*) from ingestion_outcome").fetchone() == (0,)


async def test_a_log_without_the_lock_of_its_writers_is_found(database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute(UNGUARDED)

    assert not await order_is_guarded(database_url, NOON)


async def test_this_month_and_the_next_ones_have_partitions(connections, database_url):
    await make_partitions_ahead(connections, datetime(2026, 11, 30, tzinfo=UTC), 3)

    with psycopg.connect(database_url) as connection:
        made = [name for (name,) in connection.execute(PARTITIONS)]
    assert made == ["hit_202611", "hit_202612", "hit_202701", "hit_202702"]
