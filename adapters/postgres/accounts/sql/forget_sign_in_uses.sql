-- forget_sign_in_uses
delete from sign_in_use where user_id = %(user_id)s
