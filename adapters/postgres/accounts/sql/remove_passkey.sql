-- remove_passkey
delete from passkey where user_id = %(user_id)s and passkey_id = %(passkey_id)s
