-- add_identity
insert into linked_identity (identity_id, user_id, issuer, subject, linked_at, last_used_at)
values (%(identity_id)s, %(user_id)s, %(issuer)s, %(subject)s, %(linked_at)s, %(last_used_at)s)
