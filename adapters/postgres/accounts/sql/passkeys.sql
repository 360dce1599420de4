-- Passkeys of users.

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
