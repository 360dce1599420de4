-- latest_requests
select distinct on (target) target, coalesce(outcome, 'waiting') as outcome, queued_at, attempts, reason, finished_at
from alert_request
where site_id = %(site_id)s
order by target, queued_at desc, key
