-- find_identity
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where issuer = %(issuer)s and subject = %(subject)s
