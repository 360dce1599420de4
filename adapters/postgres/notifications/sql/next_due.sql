-- next_due
select mail_id, kind, user_id, recipient, subject, body_text, body_html, unsubscribe_url, useless_after, queued_at, attempts
from mail
where due_at <= %(now)s and kind = any(%(kinds)s)
order by due_at, mail_id
limit 1
