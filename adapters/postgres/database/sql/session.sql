-- Settings of a connection and of a transaction, and advisory locks.

-- name: listen
listen footfall_event

-- name: avoid_nested_loops
set local enable_nestloop = off

-- name: allow_nested_loops
set local enable_nestloop = on

-- name: configure
-- By a statement, since connection poolers refuse settings in the startup of a connection.
select set_config(name, value, false)
from (
    values
        ('timezone', 'UTC'),
        -- Instants, spans and measures as text, which are read back as they were.
        ('datestyle', 'ISO, MDY'),
        ('intervalstyle', 'postgres'),
        ('extra_float_digits', '1'),
        ('client_min_messages', 'warning'),
        -- A process that stalls in the middle of a transaction loses it, so that nothing waits for its locks for long.
        ('idle_in_transaction_session_timeout', '10s'),
        -- Each statement that may take long has a limit of its own.
        ('statement_timeout', '0'),
        -- Compiling a statement takes longer than running most of them, and costs a third of the projector's rate.
        ('jit', 'off')
) as needed (name, value)
union all
-- Settings that the server's configuration makes stay; PostgreSQL's defaults suit little memory and spinning disks.
select set_config(name, value, false)
from (
    values
        ('work_mem', '16MB'),
        ('random_page_cost', '1.1'),
        ('max_parallel_workers_per_gather', '1')
) as wanted (name, value)
join pg_settings using (name)
where source = 'default'

-- name: use_search_path
select set_config('search_path', %(path)s, false)

-- name: look_first_in
select set_config('search_path', %(schema)s || ', ' || current_setting('search_path'), false)

-- name: limit_statements
select set_config('statement_timeout', %(milliseconds)s, true)

-- name: keep_index_order
set local enable_sort = off

-- name: allow_erasing
set local footfall.erasing = 'on'

-- name: commit_without_waiting
set local synchronous_commit = off

-- name: limit_lock_waits
set local lock_timeout = '500ms'

-- name: try_acquire
-- The session of the connection holds the lock, so that the lock ends with the process.
select pg_try_advisory_lock(lock_class(), %(number)s) as acquired

-- name: release
select pg_advisory_unlock(lock_class(), %(number)s)

-- name: try_share
-- With others that share it, until it is released or the connection ends.
select pg_try_advisory_lock_shared(lock_class(), %(number)s) as acquired

-- name: release_share
select pg_advisory_unlock_shared(lock_class(), %(number)s)

-- name: release_all
select pg_advisory_unlock_all()
