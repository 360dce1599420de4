-- given_up
select kind, recipient, user_id, queued_at, finished_at as given_up_at, attempts, reason
from mail
where outcome = 'given-up' and kind = any(%(kinds)s) and finished_at > %(now)s - interval '168 hours'
order by finished_at desc, mail_id
limit 50
