-- release
select pg_advisory_unlock(lock_class(), %(number)s)
