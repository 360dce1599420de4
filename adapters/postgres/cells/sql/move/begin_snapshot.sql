-- begin_snapshot
set transaction isolation level repeatable read
