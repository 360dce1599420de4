-- hold_lock
-- Until the connection ends, also by the death of its process.
select pg_advisory_lock(lock_class(), %(number)s)
