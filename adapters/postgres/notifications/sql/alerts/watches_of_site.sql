-- watches_of_site
select site_id, rule, revision, evaluated_until, due_at, firing, calm, obstacle
from alert_watch
where site_id = %(site_id)s
