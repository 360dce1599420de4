-- remove_identity
delete from linked_identity where user_id = %(user_id)s and identity_id = %(identity_id)s
