-- find_token
select digest, purpose, user_id, address, expires_at
from one_time_token
where digest = %(digest)s and purpose = %(purpose)s and expires_at > %(now)s
