-- stop_writers
-- Until the transaction ends: writers are refused from here on, also while those are waited for that have begun.
select pg_advisory_xact_lock(lock_class(), 12)
