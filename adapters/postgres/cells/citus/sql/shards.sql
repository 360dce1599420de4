-- Views of the shards of a store, which are at its home alone.

-- name: are_shown
select to_regclass(%(view)s) is not null as shown

-- name: show_shards
-- At this node alone. The login makes the schema, since the role of the cell may make none.
do $$
declare
    owner text := current_user;
    shown record;
begin
    if not pg_try_advisory_xact_lock(lock_class(), 3) then
        return;
    end if;
    set local citus.enable_ddl_propagation = off;
    set local role none;
    execute format('create schema if not exists {shards} authorization %I', owner);
    perform set_config('role', owner, true);
    for shown in
        select relname, format('%I.%I', current_schema(), relname || '_' || shardid) as shard
        from pg_dist_shard
        join pg_class on pg_class.oid = logicalrelid
        where relnamespace = current_schema()::regnamespace and not relispartition
    loop
        execute format('drop view if exists {shards}.%I', shown.relname);
        execute format('create view {shards}.%I as select * from %s', shown.relname, shown.shard);
    end loop;
end
$$

-- name: lock_shards
select pg_advisory_lock(lock_class(), 3)
