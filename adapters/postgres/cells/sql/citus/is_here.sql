-- is_here
select exists (
    select from pg_dist_shard
    join pg_dist_placement using (shardid)
    where logicalrelid = to_regclass('cell_mark') and groupid = (select groupid from pg_dist_local_group)
) as here
