-- begin
set transaction isolation level repeatable read, read only;
-- While files of columns are asked, which may take a fifth of this, the server waits; rows answer afterwards if need be.
set local idle_in_transaction_session_timeout = '60s'
