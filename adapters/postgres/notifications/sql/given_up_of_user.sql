-- given_up_of_user
select kind, recipient, user_id, queued_at, finished_at as given_up_at, attempts, reason
from mail
where outcome = 'given-up' and kind = any(%(kinds)s) and user_id = %(user_id)s
order by finished_at desc, mail_id
limit 50
