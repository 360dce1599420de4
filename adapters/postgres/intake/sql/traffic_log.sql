-- The log of hits, its partitions, and transactions that may have written to it.

-- name: high_water_mark
select hit_high_water_mark() as high_water_mark

-- name: holds_hit
-- Another hit of the same visitor that came in the same microsecond is one of the same request.
select exists (
    select from hit
    where site_id = %(site_id)s and occurred_at = %(occurred_at)s and received_at = %(received_at)s
        and visitor_id = %(visitor_id)s
) as held

-- name: transaction_status
select pg_xact_status(%(transaction)s::xid8) as status

-- name: end_transaction
select pg_terminate_backend(pid)
from pg_stat_activity
where backend_xid = %(transaction)s::xid8::xid

-- name: limit_statements
select set_config('statement_timeout', %(milliseconds)s, false)

-- name: make_partition
select hit_partition(make_timestamptz(%(year)s, %(month)s, 1, 0, 0, 0))

-- name: holds_month
select exists (
    select from pg_inherits
    where inhparent = 'hit'::regclass
        and inhrelid = to_regclass('hit_' || to_char(make_date(%(year)s, %(month)s, 1), 'YYYYMM'))
) as held
