-- Advisory locks of background work.

-- name: try_acquire
-- The session of the connection holds the lock, so that the lock ends with the process.
select pg_try_advisory_lock(lock_class(), %(number)s) as acquired

-- name: release
select pg_advisory_unlock(lock_class(), %(number)s)

-- name: try_share
-- With others that share it, until it is released or the connection ends.
select pg_try_advisory_lock_shared(lock_class(), %(number)s) as acquired

-- name: release_share
select pg_advisory_unlock_shared(lock_class(), %(number)s)

-- name: release_all
select pg_advisory_unlock_all()
