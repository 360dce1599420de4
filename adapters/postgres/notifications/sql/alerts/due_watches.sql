-- due_watches
select site_id, rule, revision, evaluated_until, due_at, firing, calm, obstacle
from alert_watch
where due_at <= %(now)s
order by due_at, site_id, rule
limit %(limit)s
