-- The transaction of a report.

-- name: begin
set transaction isolation level repeatable read, read only;
-- While files of columns are asked, which may take a fifth of this, the server waits; rows answer afterwards if need be.
set local idle_in_transaction_session_timeout = '60s';
-- Groups go into a hash table, and are not sorted, as long as they fit into the memory.
set local work_mem = '32MB';
set local statement_timeout = '30s'

-- name: limit
-- For reports over what took longer to prepare.
set local statement_timeout = '30s'
