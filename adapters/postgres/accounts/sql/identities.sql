-- Identities of other providers that are linked to users.

-- name: add_identity
insert into linked_identity (identity_id, user_id, issuer, subject, linked_at, last_used_at)
values (%(identity_id)s, %(user_id)s, %(issuer)s, %(subject)s, %(linked_at)s, %(last_used_at)s)

-- name: find_identity
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where issuer = %(issuer)s and subject = %(subject)s

-- name: identities_of_user
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where user_id = %(user_id)s
order by linked_at, identity_id

-- name: use_identity
update linked_identity set last_used_at = %(at)s where identity_id = %(identity_id)s

-- name: remove_identity
delete from linked_identity where user_id = %(user_id)s and identity_id = %(identity_id)s

-- name: forget_identities
delete from linked_identity where user_id = %(user_id)s
