-- try_share
-- With others that share it, until it is released or the connection ends.
select pg_try_advisory_lock_shared(lock_class(), %(number)s) as acquired
