-- try_acquire
-- The session of the connection holds the lock, so that the lock ends with the process.
select pg_try_advisory_lock(lock_class(), %(number)s) as acquired
