-- forget_attempts
delete from sign_in_attempt where begins_at < %(window)s
