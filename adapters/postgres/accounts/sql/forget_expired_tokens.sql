-- forget_expired_tokens
delete from one_time_token where expires_at <= %(now)s
