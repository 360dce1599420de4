-- The erasure of deleted sites, in rounds.

-- name: is_waiting
select exists (select from erasure where due_at <= %(now)s) as waiting

-- name: next_due
select deleted_site as site_id, deleted_at, round
from erasure
where due_at <= %(now)s
order by due_at, deleted_site
limit 1

-- name: erasable_tables
select
    pg_namespace.nspname as schema, pg_class.relname as name,
    exists (select from pg_inherits where inhrelid = pg_class.oid and inhparent = 'hit'::regclass) as holds_hits
from pg_attribute
join pg_class on pg_class.oid = pg_attribute.attrelid
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
where pg_attribute.attname = 'site_id' and not pg_attribute.attisdropped
    and pg_class.relkind = 'r' and pg_namespace.nspname = current_schema()
-- Addresses outside take the mails to them along, which would still be sent.
order by pg_class.relname = 'report_recipient' desc, holds_hits desc, name

-- name: is_swept
select not exists (
    select from column_node
    where not exists (
        select from column_sweep where deleted_site = %(site_id)s and column_sweep.node = column_node.node
    )
) as swept

-- name: finish_round
update erasure
set round = round + 1, due_at = %(next_at)s
where deleted_site = %(site_id)s and round = %(round)s

-- name: lock_checkpoint
-- Only the holder of the checkpoint changes the read models, whichever version projects them.
select position from projection_checkpoint where name = 'reports' for update

-- name: erase_rows
-- Rows that another transaction has locked are left to the next round: the eraser never waits for them, so that no batch
-- of hits ends as the victim of a deadlock with it.
delete from {table}
where ctid = any(array(
    select ctid from {table} where site_id = %(site_id)s limit %(limit)s for update skip locked
))

-- name: erase_decisions
update event
set
    schema_version = %(erased)s,
    -- What tells which goals, funnels and firings a site had, and which cell has to hear of its deletion.
    data = coalesce(
        case
            when type in ('goal-defined', 'funnel-defined', 'alert-fired') then jsonb_set('{}', array['site_id'], data -> 'site_id')
            when type = 'site-placed' then jsonb_set('{}', array['cell'], data -> 'cell')
        end,
        '{}'
    )
where stream = any(
    array(
        select stream from event where type = 'goal-defined' and (data ->> 'site_id')::bigint = %(site_id)s
        union all
        select stream from event where type = 'funnel-defined' and (data ->> 'site_id')::bigint = %(site_id)s
        union all
        select stream from event where type = 'alert-fired' and (data ->> 'site_id')::bigint = %(site_id)s
    )
    || %(streams)s::text[]
)
and type <> 'site-deleted'
and schema_version <> %(erased)s
