-- store_token
insert into one_time_token (digest, purpose, user_id, address, expires_at)
values (%(digest)s, %(purpose)s, %(user_id)s, %(address)s, %(expires_at)s)
