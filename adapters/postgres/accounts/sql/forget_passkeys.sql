-- forget_passkeys
delete from passkey where user_id = %(user_id)s
