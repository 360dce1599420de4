-- forget_tokens
delete from one_time_token where user_id = %(user_id)s
