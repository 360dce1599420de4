-- local_node
select groupid as home from pg_dist_local_group
