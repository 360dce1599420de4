-- postpone_request
update alert_request set due_at = %(until)s, attempts = attempts + 1, reason = %(reason)s
where key = %(key)s and due_at is not null
