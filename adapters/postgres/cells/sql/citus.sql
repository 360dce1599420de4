-- Cells that are distributed schemas of Citus: their making, their home node and their moves.

-- name: keep_to_node
-- What is made in this transaction is made at this node alone.
set local citus.enable_ddl_propagation = off

-- name: create_local_schema
create schema if not exists {schema} authorization {role}

-- name: drop_local_schema
drop schema if exists {schema} cascade

-- name: are_shown
select to_regclass(%(view)s) is not null as shown

-- name: try_lock_shards
select pg_try_advisory_xact_lock(lock_class(), 3) as acquired

-- name: show_shards
do $$
declare
    shown record;
begin
    for shown in
        select relname, format('%I.%I', {schema}, relname || '_' || shardid) as shard
        from pg_dist_shard
        join pg_class on pg_class.oid = logicalrelid
        where relnamespace = {schema}::regnamespace and not relispartition
    loop
        execute format('drop view if exists {shards}.%I', shown.relname);
        execute format('create view {shards}.%I as select * from %s', shown.relname, shown.shard);
    end loop;
end
$$

-- name: lock_shards
select pg_advisory_lock(lock_class(), 3)

-- name: role_exists
select exists (select from pg_roles where rolname = %(role)s) as exists

-- name: create_role
-- Functions on the nodes find the tables of the cell by the search path of its role.
create role {role} login

-- name: join_role
grant {role} to current_user

-- name: set_search_path
alter role {role} in database {database} set search_path = {schema}

-- name: do_not_compile
-- Connections between nodes do not have the settings of the service: compiling a statement takes longer than to run it.
alter role {role} in database {database} set jit = off

-- name: create_schema
create schema if not exists {schema} authorization {role}

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
alter table event alter column position set default next_event();
alter table site_import alter column import_id drop identity if exists;
alter table site_import alter column import_id set default next_import();

-- name: make_partitions
-- Of this month and the next ones: only the coordinator can make them, and it may be away when one is needed.
select hit_partition(now() + months * interval '1 month') from generate_series(0, %(ahead)s) as months

-- name: distribute
select citus_schema_distribute(current_schema()::regnamespace)

-- name: set_first_import
update cell_home set first_import = %(first)s

-- name: nodes
-- Those that can hold cells.
select nodename as host, nodeport as port
from pg_dist_node
where shouldhaveshards and isactive and noderole = 'primary'
order by nodename, nodeport

-- name: move
select citus_schema_move(
    current_schema()::regnamespace, %(host)s::text, %(port)s::integer, shard_transfer_mode => 'force_logical'
)

-- name: left_by_moves
-- The nodes at which copies of the shards of the cell are that it does not use any more.
select distinct node.nodename as host, node.nodeport as port
from pg_dist_cleanup as copy
join pg_dist_node as node on node.groupid = copy.node_group_id and node.noderole = 'primary'
where copy.object_type = 1 and starts_with(copy.object_name, quote_ident(current_schema()) || '.')

-- name: clean_up
call citus_cleanup_orphaned_resources()

-- name: whereabouts
-- Where the rows of the cell are, and whether it has been settled there.
select node.nodename as host, node.nodeport as port, node.groupid = (select home from cell_home) as settled
from pg_dist_shard as shard
join pg_dist_placement as placement using (shardid)
join pg_dist_node as node using (groupid)
where shard.logicalrelid = to_regclass('cell_mark') and node.noderole = 'primary'

-- name: find_node
-- Where the rows of the cell are.
select node.nodename as host, node.nodeport as port
from pg_dist_shard as shard
join pg_dist_placement as placement using (shardid)
join pg_dist_node as node using (groupid)
where shard.logicalrelid = to_regclass('cell_mark') and node.noderole = 'primary'

-- name: find_coordinator
select nodename as host, nodeport as port from pg_dist_node where groupid = 0 and noderole = 'primary'

-- name: wait_for_writers
select pg_advisory_xact_lock(lock_class(), 2)

-- name: create_position_sequence
create sequence if not exists hit_position

-- name: create_event_sequence
create sequence if not exists event_position

-- name: create_import_sequence
create sequence if not exists import_number

-- name: last_numbers
select
    greatest(
        (select max(position) from hit), (select max(position) from projection_checkpoint)
    ) as position,
    (select max(position) from event) as event,
    greatest((select max(import_id) from site_import), (select first_import - 1 from cell_home)) as import

-- name: go_on_after
-- Of nothing, null, they go on with their first number.
select setval(name, coalesce(greatest(last, 1), 1), coalesce(last, 0) > 0)
from unnest(
    array['hit_position', 'event_position', 'import_number'], array[%(position)s, %(event)s, %(import)s]::bigint[]
) as used (name, last)

-- name: settle
update cell_home set home = %(home)s

-- name: local_node
select groupid as home from pg_dist_local_group

-- name: is_settled
select home = (select groupid from pg_dist_local_group) as settled from cell_home

-- name: is_here
select exists (
    select from pg_dist_shard
    join pg_dist_placement using (shardid)
    where logicalrelid = to_regclass('cell_mark') and groupid = (select groupid from pg_dist_local_group)
) as here
