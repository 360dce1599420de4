-- whereabouts
-- Where the rows of the cell are, and whether it has been settled there.
select node.nodename as host, node.nodeport as port, node.groupid = (select home from cell_home) as settled
from pg_dist_shard as shard
join pg_dist_placement as placement using (shardid)
join pg_dist_node as node using (groupid)
where shard.logicalrelid = to_regclass('cell_mark') and node.noderole = 'primary'
