-- passkey_by_credential
select passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at
from passkey
where credential_id = %(credential_id)s
