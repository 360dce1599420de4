-- release_share
select pg_advisory_unlock_shared(lock_class(), %(number)s)
