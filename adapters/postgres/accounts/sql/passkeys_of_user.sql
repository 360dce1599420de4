-- passkeys_of_user
select passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at
from passkey
where user_id = %(user_id)s
order by created_at, passkey_id
