-- record_sent
update mail
set
    outcome = 'sent', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = null,
    user_id = null, recipient = null, subject = null, body_text = null, body_html = null, unsubscribe_url = null
where mail_id = %(mail_id)s
