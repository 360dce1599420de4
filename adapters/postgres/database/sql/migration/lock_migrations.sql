-- lock_migrations
-- Class and number of the advisory lock: see 0001_baseline.sql. The session holds it: of several processes that start at
-- once the second one finds the work done.
select pg_advisory_lock(%(lock_class)s, 3)
