-- The role and the schema of a store, made while it is plain, and its functions.

-- name: role_exists
select exists (select from pg_roles where rolname = %(role)s) as exists

-- name: create_role
create role {role} login

-- name: create_schema
-- Functions on the nodes find the tables of the cell by the search path of its role. Connections between nodes do not have the
-- settings of the service: compiling a statement takes longer than to run it.
grant {role} to current_user;
alter role {role} in database {database} set search_path = {role};
alter role {role} in database {database} set jit = off;
create schema if not exists {role} authorization {role}

-- name: prepare
-- While the store is still plain: what a distributed table could not have, or not change.
-- The node at which the cell was settled last: positions come from a sequence there, which no other node has.
create table if not exists cell_home (
    home integer not null,
    -- Imports are called by their numbers, which no two cells share.
    first_import bigint not null
);
insert into cell_home (home, first_import) select -1, 1 where not exists (select from cell_home);

-- Behind functions, since Citus gives each node its own range of a sequence that is a default.
create or replace function next_position() returns bigint language plpgsql as $$
begin
    return nextval('hit_position');
end
$$;

create or replace function next_event() returns bigint language plpgsql as $$
begin
    return nextval('event_position');
end
$$;

create or replace function next_import() returns bigint language plpgsql as $$
begin
    return nextval('import_number');
end
$$;

alter table hit alter column position set default next_position();
alter table engagement alter column position set default next_position();
alter table event alter column position set default next_event();
alter table site_import alter column import_id drop identity if exists;
alter table site_import alter column import_id set default next_import();

-- name: make_partitions
-- Makes those of this month and the next ones: only the coordinator can make them, and it may be away when one is needed.
select hit_partition(now() + months * interval '1 month') from generate_series(0, %(ahead)s) as months

-- name: distribute
select citus_schema_distribute(current_schema()::regnamespace)

-- name: set_first_import
update cell_home set first_import = %(first)s


-- name: is_distributed
select count(*) > 0 as distributed
from pg_dist_schema
join pg_namespace on pg_namespace.oid = schemaid
where nspname = current_schema()

-- name: adapt
-- What the store has instead of a plain one, made again after each migration.

-- Whether hits may be stored and counted here: the cell is at this node, and its sequences have been brought here.
create or replace function require_home() returns void language plpgsql as $$
begin
    if (select home from cell_home) is distinct from (select groupid from pg_dist_local_group) then
        raise exception 'the store is at another node' using errcode = 'cannot_connect_now';
    end if;
end
$$;

-- In the message of each COPY: positions are drawn at the node that is asked, before the trigger of the shard could take
-- the lock of their order. Returns the transaction.
create or replace function guard_traffic() returns text language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(1181708916, 2);
    perform require_home();
    perform set_config('footfall.guarded', 'on', true);
    return pg_current_xact_id()::text;
end
$$;

-- The trigger of the shard sees the setting only where the writer is at the same node, and has taken the lock there.
create or replace function lock_traffic() returns trigger language plpgsql as $$
begin
    if current_setting('footfall.guarded', true) is distinct from 'on' then
        raise exception 'hits are stored at the home node, with its guard' using errcode = 'cannot_connect_now';
    end if;
    return null;
end
$$;

create or replace function hit_high_water_mark() returns bigint language plpgsql set lock_timeout = '500ms' as $$
declare
    high_water bigint;
begin
    perform pg_advisory_xact_lock(1181708916, 2);
    perform require_home();
    select case when is_called then last_value else 0 end into high_water from hit_position;
    return high_water;
end
$$;

-- Workers ask the journal itself for news; a prepared transaction could not notify.
create or replace function announce_event() returns trigger language plpgsql as $$
begin
    return null;
end
$$;

-- Row by row: the insert is planned by Citus, which knows no transition tables.
create or replace function count_stored() returns trigger language plpgsql as $$
declare
    counted record;
begin
    for counted in
        select site_id, date_bin('15 minutes', received_at, '2000-01-01Z') as quarter, count(*) as events
        from stored
        where import_id is null
        group by 1, 2
        order by 1, 2
    loop
        insert into ingestion_outcome as kept (site_id, quarter, outcome, reason, slot, events)
        values (counted.site_id, counted.quarter, 'stored', '', pg_backend_pid() % 64, counted.events)
        on conflict (site_id, quarter, outcome, reason, slot) do update set events = kept.events + excluded.events;
    end loop;
    return null;
end
$$;

-- Citus makes a statement that it cannot read of an insert from a query in which a function is not immutable.
create or replace function buckets_open_at_start(started_at timestamptz, ended_at timestamptz) returns setof timestamptz
language sql immutable parallel safe rows 2 as $$
    select bucket at time zone 'UTC'
    from generate_series(
        bucket_of(started_at) at time zone 'UTC' + interval '15 minutes', bucket_of(ended_at) at time zone 'UTC', interval '15 minutes'
    ) as bucket
$$;

-- Erasures go on while the cell moves: a table without a key is replicated by whole rows.
create or replace function hit_partition(at timestamptz) returns text language plpgsql as $$
declare
    first timestamp := date_trunc('month', at at time zone 'UTC');
    name text := 'hit_' || to_char(first, 'YYYYMM');
begin
    if exists (select from pg_inherits where inhparent = 'hit'::regclass and inhrelid = to_regclass(name)) then
        return name;
    end if;
    perform pg_advisory_xact_lock(1181708916, 4);
    if exists (select from pg_inherits where inhparent = 'hit'::regclass and inhrelid = to_regclass(name)) then
        return name;
    end if;
    execute format('create table %I (like hit including defaults)', name);
    execute format(
        'create trigger hit_order before insert on %I for each statement execute function lock_traffic()', name
    );
    execute format(
        'create trigger hit_not_truncated before truncate on %I for each statement execute function refuse_change()', name
    );
    execute format('alter table %I replica identity full', name);
    execute format(
        'alter table hit attach partition %I for values from (%L) to (%L)',
        name, first at time zone 'UTC', (first + interval '1 month') at time zone 'UTC'
    );
    return name;
end
$$;

-- In each commit, at the home: without the plans of Citus they take half the time. The shard of the ledger is written to by
-- a transaction that holds hits already, so that a move waits for it.
do $$
declare
    schemas text := format('%I, %I', current_schema() || '_shards', current_schema());
begin
    execute 'alter function require_home() set search_path = ' || schemas;
    execute 'alter function count_stored() set search_path = ' || schemas;
    execute 'alter function count_stored() set citus.enable_manual_changes_to_shards = on';
end
$$;

-- A table without a key is replicated by whole rows while the cell moves. Partitions have it from hit_partition.
do $$
declare
    keyless regclass;
begin
    for keyless in
        select oid
        from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relreplident = 'd'
            and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)
    loop
        execute format('alter table %s replica identity full', keyless);
    end loop;
end
$$;

-- name: are_shown
-- All views are made in one transaction, so that one of them stands for all.
select to_regclass(format('%I.cell_home', current_schema() || '_shards')) is not null as shown

-- name: show_shards
-- At this node alone. The login makes the schema, since the role of the cell may make none.
do $$
declare
    owner text := current_user;
    shards text := current_schema() || '_shards';
    shown record;
begin
    if not pg_try_advisory_xact_lock(lock_class(), 3) then
        return;
    end if;
    set local citus.enable_ddl_propagation = off;
    set local role none;
    execute format('create schema if not exists %I authorization %I', shards, owner);
    perform set_config('role', owner, true);
    for shown in
        select relname, format('%I.%I', current_schema(), relname || '_' || shardid) as shard
        from pg_dist_shard
        join pg_class on pg_class.oid = logicalrelid
        where relnamespace = current_schema()::regnamespace and not relispartition
    loop
        execute format('drop view if exists %I.%I', shards, shown.relname);
        execute format('create view %I.%I as select * from %s', shards, shown.relname, shown.shard);
    end loop;
end
$$

-- name: lock_shards
select pg_advisory_lock(lock_class(), 3)
