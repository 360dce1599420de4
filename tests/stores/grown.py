"""A store with many sites, goals and days, of which nothing has changed lately; and how many rows statements read."""

import psycopg

_FILL = """
insert into event (stream, version, type, schema_version, data, recorded_at)
select 'site-' || n, 1, 'site-registered', 0, jsonb_build_object('site_id', n), now() - interval '1 year'
from generate_series(1, %(sites)s) as n;
insert into event (stream, version, type, schema_version, data, recorded_at)
select 'site-' || n, 2, 'site-placed', 0, jsonb_build_object('cell', 'cell' || n %% 8), now() - interval '1 year'
from generate_series(1, %(sites)s) as n;
insert into event (stream, version, type, schema_version, data, recorded_at)
select
    'goal-' || n, 1, 'goal-defined', 0, jsonb_build_object('goal_id', n, 'site_id', 1 + n %% %(sites)s),
    now() - interval '1 year'
from generate_series(1, 2 * %(sites)s) as n;
insert into goal_version (goal_id, site_id, version, number, path_equals)
select n, 1 + n %% %(sites)s, n, n, '/' from generate_series(1, 2 * %(sites)s) as n;
insert into column_day (site_id, day, state, since, changed_at, version, store, sessions)
select
    n, date_trunc('day', now(), 'UTC') - d * interval '1 day', 'closed', now() - interval '3 hours',
    now() - interval '3 hours', gen_random_uuid(), column_store(), 100
from generate_series(1, %(sites)s) as n cross join generate_series(2, 5) as d;
insert into column_day (site_id, day, state, since, changed_at)
select n, date_trunc('day', now(), 'UTC'), 'open', now() - interval '10 minutes', now()
from generate_series(1, %(sites)s) as n;
insert into ingestion_outcome (site_id, quarter, outcome, reason, slot, events)
select n, date_trunc('hour', now()) - q * interval '1 hour', 'stored', '', 1, 5
from generate_series(1, %(sites)s) as n cross join generate_series(0, 4) as q;
update projection_checkpoint set journal_position = (select max(position) from event);
"""
_READ = """
select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
from pg_stat_user_tables where schemaname = current_schema()
"""


def grow(url: str, sites: int) -> None:
    """Put so many sites into a store, two goals and some days of each, and let the planner know."""
    with psycopg.connect(url, autocommit=True, client_encoding="utf8") as connection:
        with psycopg.ClientCursor(connection) as cursor:
            cursor.execute(_FILL, {"sites": sites})
        connection.execute("vacuum (analyze)")


def rows_read(url: str) -> int:
    """Return how many rows all connections that have ended have read of the tables of a store."""
    with psycopg.connect(url, autocommit=True) as connection:
        [(rows,)] = connection.execute(_READ).fetchall()
    return int(rows)
