-- is_waiting
select exists (select from erasure where due_at <= %(now)s) as waiting
