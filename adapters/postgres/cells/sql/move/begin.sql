-- begin
-- Of the transaction: it lasts as long as the copy, and waits only so long for those that use the store.
select
    set_config('lock_timeout', %(milliseconds)s, true),
    set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)
