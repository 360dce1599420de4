-- try_lock_shards
select pg_try_advisory_xact_lock(lock_class(), 3) as acquired
