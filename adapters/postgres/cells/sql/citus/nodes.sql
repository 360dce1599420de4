-- nodes
-- Those that can hold cells.
select nodename as host, nodeport as port
from pg_dist_node
where shouldhaveshards and isactive and noderole = 'primary'
order by nodename, nodeport
