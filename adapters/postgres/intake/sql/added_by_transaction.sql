-- added_by_transaction
-- A server that still runs gives each number once. On another one the rows tell.
select
    pg_postmaster_start_time() = %(server_started)s::timestamptz
    or exists (
        select from ingestion_outcome
        where site_id = any(%(sites)s::bigint[])
            and quarter = any(%(quarters)s::timestamptz[])
            and xmin = %(transaction)s::xid8::xid
    ) as added
