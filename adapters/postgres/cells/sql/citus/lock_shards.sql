-- lock_shards
select pg_advisory_lock(lock_class(), 3)
