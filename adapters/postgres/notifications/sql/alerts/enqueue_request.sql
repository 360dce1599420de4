-- enqueue_request
insert into alert_request (key, site_id, target, content_type, body, signed, queued_at, due_at)
values (%(key)s, %(site_id)s, %(target)s, %(content_type)s, %(body)s, %(signed)s, %(at)s, %(at)s)
on conflict (key) do nothing
