-- use_passkey
update passkey set sign_count = %(sign_count)s, last_used_at = %(at)s
where credential_id = %(credential_id)s and sign_count = %(before)s
