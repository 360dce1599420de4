-- give_up_request
update alert_request
set
    outcome = 'given-up', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = %(reason)s, body = null
where key = %(key)s
