-- begin
-- Only temporary tables are written. The catalog knows them, and nothing waits until it is on the disk. Each report has a limit
-- of its own.
set transaction isolation level repeatable read;
set local synchronous_commit = off;
set local idle_in_transaction_session_timeout = '60s';
set local statement_timeout = '120s';
set local work_mem = '32MB'
