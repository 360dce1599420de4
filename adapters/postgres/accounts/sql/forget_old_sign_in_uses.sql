-- forget_old_sign_in_uses
delete from sign_in_use where last_used_at < %(moment)s
