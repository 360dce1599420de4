-- size
-- At the home, which has all shards: Citus would ask the coordinator, too, and it may be away.
select coalesce(sum(pg_total_relation_size(to_regclass(format('%I.%I', current_schema(), relname || '_' || shardid)))), 0)::bigint as bytes
from pg_dist_shard
join pg_class on pg_class.oid = logicalrelid
where relnamespace = current_schema()::regnamespace
