-- begin
set transaction isolation level repeatable read, read only
