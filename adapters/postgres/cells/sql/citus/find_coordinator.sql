-- find_coordinator
select nodename as host, nodeport as port from pg_dist_node where groupid = 0 and noderole = 'primary'
