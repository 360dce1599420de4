-- is_request_waiting
select exists (select from alert_request where due_at <= %(now)s) as waiting
