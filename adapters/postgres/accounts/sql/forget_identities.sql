-- forget_identities
delete from linked_identity where user_id = %(user_id)s
