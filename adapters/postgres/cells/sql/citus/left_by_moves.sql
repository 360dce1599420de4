-- left_by_moves
-- The nodes at which copies of the shards of the cell are that it does not use any more.
select distinct node.nodename as host, node.nodeport as port
from pg_dist_cleanup as copy
join pg_dist_node as node on node.groupid = copy.node_group_id and node.noderole = 'primary'
where copy.object_type = 1 and starts_with(copy.object_name, quote_ident(current_schema()) || '.')
