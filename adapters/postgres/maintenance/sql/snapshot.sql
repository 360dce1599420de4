-- The store as of one moment, and a store that nothing was stored in yet.

-- name: let_idle
-- The transaction idles while a program reads what it sees.
set idle_in_transaction_session_timeout = 0

-- name: begin
begin isolation level repeatable read read only

-- name: export
select
    pg_export_snapshot() as name,
    current_schema() as schema,
    (select max(number) from schema_migration) as migration,
    (select coalesce(max(position), 0) from event) as journal_position,
    (select coalesce(max(position), 0) from hit) as hit_position

-- name: schema
select
    current_schema() as schema,
    not exists (select from pg_class where relnamespace = current_schema()::regnamespace)
    and not exists (select from pg_proc where pronamespace = current_schema()::regnamespace) as is_empty

-- name: forget_nodes
delete from column_node

-- name: reserve_sites
select setval('site_id', %(highest)s) where %(highest)s > (select last_value from site_id)
