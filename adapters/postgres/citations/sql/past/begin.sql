-- begin
-- Only temporary tables can be written, which are empty again at the end.
set transaction isolation level repeatable read, read only;
set local statement_timeout = '30s';
set local work_mem = '32MB'
