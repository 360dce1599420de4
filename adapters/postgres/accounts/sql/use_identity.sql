-- use_identity
update linked_identity set last_used_at = %(at)s where identity_id = %(identity_id)s
