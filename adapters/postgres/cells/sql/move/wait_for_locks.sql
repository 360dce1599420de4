-- wait_for_locks
-- In the rest of the transaction, for as long at most.
select set_config('lock_timeout', %(milliseconds)s, true)
