-- add_passkey
insert into passkey (passkey_id, user_id, name, rp_id, credential_id, public_key, sign_count, created_at, last_used_at)
values (
    %(passkey_id)s, %(user_id)s, %(name)s, %(rp_id)s, %(credential_id)s, %(public_key)s, %(sign_count)s, %(created_at)s,
    %(last_used_at)s
)
