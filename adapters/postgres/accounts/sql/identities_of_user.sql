-- identities_of_user
select identity_id, user_id, issuer, subject, linked_at, last_used_at
from linked_identity
where user_id = %(user_id)s
order by linked_at, identity_id
