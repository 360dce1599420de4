-- limit_end
-- Of the rest of the transaction: the wait for each lock, and for a command whose host is gone.
select
    set_config('lock_timeout', %(wait)s, true),
    set_config('idle_in_transaction_session_timeout', %(idle)s, true)
