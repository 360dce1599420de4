-- read_sign_in_uses
select handle, user_id, device, last_used_at from sign_in_use where handle = any(%(handles)s::text[])
