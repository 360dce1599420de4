-- is_settled
select home = (select groupid from pg_dist_local_group) as settled from cell_home
