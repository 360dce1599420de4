-- begin
-- It is rolled back: the tables and views of this transaction are never stored.
set transaction isolation level repeatable read;
set local statement_timeout = '30s';
set local work_mem = '32MB'
