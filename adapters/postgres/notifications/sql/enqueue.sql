-- enqueue
insert into mail (
    mail_id, kind, user_id, recipient, subject, body_text, body_html, unsubscribe_url, useless_after, queued_at, due_at
)
values (
    %(mail_id)s, %(kind)s, %(user_id)s, %(recipient)s, %(subject)s, %(text)s, %(html)s, %(unsubscribe_url)s,
    %(useless_after)s, %(at)s, %(at)s
)
on conflict (mail_id) do nothing
