-- How users sign in: attempts, tokens that work once, passkeys, and the uses of sign-ins.

-- name: add_attempt
insert into sign_in_attempt (subject, begins_at, attempts)
values (%(subject)s, %(window)s, 1)
on conflict (subject, begins_at) do update set attempts = sign_in_attempt.attempts + 1
returning attempts

-- name: count_attempts
select attempts from sign_in_attempt where subject = %(subject)s and begins_at = %(window)s

-- name: forget_attempts
delete from sign_in_attempt where begins_at < %(window)s

-- name: add_former_proofs
-- Digests by which persons are recognised who had an account before.
insert into former_proof (digest)
select unnest(%(digests)s::bytea[])
on conflict do nothing

-- name: holds_former_proof
select exists (select from former_proof where digest = any(%(digests)s::bytea[])) as held

-- name: store_token
-- A row is deleted by the one call that gets it.
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

-- name: record_sign_in_uses
-- Callers sort the handles, so that two workers which record the same ones cannot deadlock.
insert into sign_in_use (handle, user_id, device, last_used_at)
select * from unnest(%(handles)s::text[], %(user_ids)s::text[], %(devices)s::text[], %(used_at)s::timestamptz[])
on conflict (handle) do update set device = excluded.device, last_used_at = excluded.last_used_at
where sign_in_use.last_used_at < excluded.last_used_at

-- name: read_sign_in_uses
select handle, user_id, device, last_used_at from sign_in_use where handle = any(%(handles)s::text[])

-- name: forget_sign_in_uses
delete from sign_in_use where user_id = %(user_id)s

-- name: forget_old_sign_in_uses
delete from sign_in_use where last_used_at < %(moment)s

-- name: add_passkey
insert into passkey (passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at)
values (
    %(passkey_id)s, %(user_id)s, %(name)s, %(rp_id)s, %(credential_id)s, %(public_key)s, %(sign_count)s, %(created_at)s,
    %(last_used_at)s
)

-- name: passkey_by_credential
select passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at
from passkey
where credential_id = %(credential_id)s

-- name: passkeys_of_user
select passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at
from passkey
where user_id = %(user_id)s
order by created_at, passkey_id

-- name: use_passkey
update passkey set sign_count = %(sign_count)s, last_used_at = %(at)s
where credential_id = %(credential_id)s and sign_count = %(before)s

-- name: remove_passkey
delete from passkey where user_id = %(user_id)s and passkey_id = %(passkey_id)s

-- name: forget_passkeys
delete from passkey where user_id = %(user_id)s
