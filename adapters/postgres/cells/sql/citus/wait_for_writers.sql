-- wait_for_writers
select pg_advisory_xact_lock(lock_class(), 2)
