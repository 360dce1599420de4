-- postpone
update mail set due_at = %(until)s, attempts = attempts + 1, reason = %(reason)s where mail_id = %(mail_id)s
