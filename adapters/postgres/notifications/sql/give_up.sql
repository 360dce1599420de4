-- give_up
update mail
set
    outcome = 'given-up', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = %(reason)s,
    subject = null, body_text = null, body_html = null, unsubscribe_url = null
where mail_id = %(mail_id)s
