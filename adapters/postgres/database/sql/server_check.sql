-- Properties of a server that the service needs.

-- name: replication
select
    pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
    current_setting('synchronous_commit') as commit,
    current_setting('synchronous_standby_names') as names,
    -- Other roles see that there are standbys, and nothing about them.
    pg_has_role('pg_read_all_stats', 'usage') as visible,
    (select count(*) from pg_stat_replication) as attached,
    array(
        select application_name
        from pg_stat_replication
        where state = 'streaming' and sync_state in ('sync', 'quorum')
        order by application_name
    ) as confirming

-- name: remember
select set_config('footfall.session', %(token)s, false)

-- name: recall
select current_setting('footfall.session', true)

-- name: server_time
select clock_timestamp()

-- name: search_path
select current_setting('search_path')

-- name: missing_table_rights
select tablename, wanted
from pg_tables
cross join unnest(array['select', 'insert', 'update', 'delete']) as wanted
where schemaname = current_schema() and not has_table_privilege(format('%I.%I', schemaname, tablename), wanted)
order by tablename, wanted

-- name: may_create_tables
select coalesce(has_schema_privilege(current_schema(), 'create'), false) as allowed

-- name: may_create_temporary_tables
select has_database_privilege(current_database(), 'temporary') as allowed

-- name: owns_traffic_log
-- True before the table exists.
select coalesce(pg_has_role(tableowner, 'usage'), true) as owned
from (select 1) as one
left join pg_tables on schemaname = current_schema() and tablename = 'hit'

-- name: durability_settings
select name, setting
from unnest(array['fsync', 'synchronous_commit', 'full_page_writes']) with ordinality as wanted (name, place)
join pg_settings using (name)
order by place
