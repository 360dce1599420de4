-- show_shards
do $$
declare
    shown record;
begin
    for shown in
        select relname, format('%I.%I', {schema}, relname || '_' || shardid) as shard
        from pg_dist_shard
        join pg_class on pg_class.oid = logicalrelid
        where relnamespace = {schema}::regnamespace and not relispartition
    loop
        execute format('drop view if exists {shards}.%I', shown.relname);
        execute format('create view {shards}.%I as select * from %s', shown.relname, shown.shard);
    end loop;
end
$$
