-- is_waiting
select exists (select from mail where due_at <= %(now)s and kind = any(%(kinds)s)) as waiting
