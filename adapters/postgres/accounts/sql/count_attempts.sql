-- count_attempts
select attempts from sign_in_attempt where subject = %(subject)s and begins_at = %(window)s
