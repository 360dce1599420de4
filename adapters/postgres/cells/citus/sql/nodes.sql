-- The nodes of the cluster, and the home and the moves of a store.

-- name: nodes
-- The nodes that can hold cells.
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

-- name: keep_to_node
-- What is made in this transaction is made at this node alone.
set local citus.enable_ddl_propagation = off

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
        (select max(position) from hit), (select max(position) from engagement),
        (select max(position) from projection_checkpoint)
    ) as position,
    (select max(position) from event) as event,
    greatest((select max(import_id) from site_import), (select first_import - 1 from cell_home)) as import

-- name: go_on_after
-- Without a last number, null, a sequence goes on with its first one.
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
