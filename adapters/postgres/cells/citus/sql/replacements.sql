-- What Citus runs instead of statements that it refuses. Each has the places and parameters of the one that it replaces.

-- name: size
-- At the home, which has all shards: Citus would ask the coordinator, too, and it may be away.
select coalesce(sum(pg_total_relation_size(to_regclass(format('%I.%I', current_schema(), relname || '_' || shardid)))), 0)::bigint as bytes
from pg_dist_shard
join pg_class on pg_class.oid = logicalrelid
where relnamespace = current_schema()::regnamespace

-- name: make_quotas
-- As stored_pageviews counts: a function that reads a table cannot be called beside the shards of another one.
with absent as materialized (
    select asked.site_id, asked.month, (
        select count(*)
        from hit
        where hit.site_id = asked.site_id
            and type = 'pageview'
            and import_id is null
            and occurred_at >= asked.month::timestamp at time zone 'UTC' - interval '31 days'
            and received_at >= asked.month::timestamp at time zone 'UTC'
            and received_at < (asked.month + interval '1 month') at time zone 'UTC'
    ) as used
    from unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month)
    left join pageview_quota as quota on quota.site_id = asked.site_id and quota.month = asked.month
    where quota.site_id is null
)
insert into pageview_quota (site_id, month, used)
select site_id, month, used from absent order by site_id, month
on conflict (site_id, month) do nothing

-- name: mark_column_days
-- Day by day: of one statement Citus sends rows to other nodes, too, so that the projector would need all of them. The
-- difference of times is immutable.
do $$
declare
    touched record;
    added bigint;
begin
    for touched in
        select site_id, day, array_agg(distinct session_id) as sessions
        from (
            select site_id, day_of(started_at) as day, session_id from session_delta
            union all
            select site_id, day_of(was_started_at), session_id
            from session_delta
            where day_of(was_started_at) <> day_of(started_at)
            union all
            select site_id, day_of(started_at), session_id from regrouped where sign < 0
        ) as own
        group by site_id, day
        order by site_id, day
    loop
        if exists (
            select from column_day
            where site_id = touched.site_id and day = touched.day and state = 'closed'
        ) then
            -- What Citus tells of such an insert without its rows is the number of those that were tried.
            with marked as (
                insert into column_change (site_id, day, session_id)
                select touched.site_id, touched.day, session_id from unnest(touched.sessions) as session_id
                on conflict do nothing
                returning session_id
            )
            select count(*) into added from marked;
            update column_day set changes = changes + added, changed_at = now()
            where site_id = touched.site_id and day = touched.day and added > 0;
        else
            insert into column_day as kept (site_id, day, state, since, changed_at)
            values (touched.site_id, touched.day, 'open', now(), now())
            on conflict (site_id, day) do update set
                state = 'open',
                since = case when kept.state = 'open' then kept.since else excluded.since end,
                changed_at = excluded.changed_at
            where kept.state <> 'open' or excluded.changed_at - kept.changed_at > interval '10 seconds';
        end if;
    end loop;
end
$$

-- name: create_copy_schema
-- At this node alone. The login makes it, since the role of the cell may make no schemas.
do $$
declare
    owner text := current_user;
begin
    set local citus.enable_ddl_propagation = off;
    set local role none;
    execute format('create schema {schema} authorization %I', owner);
    perform set_config('role', owner, true);
end
$$

-- name: drop_copy_schema
do $$
begin
    set local citus.enable_ddl_propagation = off;
    drop schema if exists {schema} cascade;
end
$$

-- name: replace_table
-- A table cannot become part of a distributed schema at a node of it: the rows do.
delete from {schema}.{table};
insert into {schema}.{table} select * from {copy}.{table}
