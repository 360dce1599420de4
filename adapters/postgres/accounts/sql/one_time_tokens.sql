-- Tokens that work once; a row is deleted by the one call that gets it.

-- name: store_token
insert into one_time_token (digest, purpose, user_id, address, expires_at)
values (%(digest)s, %(purpose)s, %(user_id)s, %(address)s, %(expires_at)s)

-- name: find_token
select digest, purpose, user_id, address, expires_at
from one_time_token
where digest = %(digest)s and purpose = %(purpose)s and expires_at > %(now)s

-- name: redeem_token
delete from one_time_token
where digest = %(digest)s and purpose = %(purpose)s and expires_at > %(now)s
returning digest, purpose, user_id, address, expires_at

-- name: forget_tokens
delete from one_time_token where user_id = %(user_id)s

-- name: forget_expired_tokens
delete from one_time_token where expires_at <= %(now)s
