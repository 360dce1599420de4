-- find_node
-- Where the rows of the cell are.
select node.nodename as host, node.nodeport as port
from pg_dist_shard as shard
join pg_dist_placement as placement using (shardid)
join pg_dist_node as node using (groupid)
where shard.logicalrelid = to_regclass('cell_mark') and node.noderole = 'primary'
