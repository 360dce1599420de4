-- hold_lock
-- Until the transaction ends, also by the death of its process.
select pg_advisory_xact_lock(lock_class(), %(number)s)
