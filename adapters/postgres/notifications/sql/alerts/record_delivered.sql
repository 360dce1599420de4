-- record_delivered
update alert_request
set outcome = 'delivered', finished_at = %(at)s, due_at = null, attempts = attempts + 1, reason = null, body = null
where key = %(key)s
